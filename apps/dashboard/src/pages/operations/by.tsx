import { useMemberNames } from '../../api/member-names.ts'
import type { Actor, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { words } from '../../parts/values.tsx'

interface Props {
  readonly origin: string
  readonly actor: Actor | null | undefined
}

/** Where an operation comes from, and who asked for it: a key that was revoked only by its id. */
export function By({ origin, actor }: Props) {
  if (actor?.id == null) return words(origin)
  return (
    <>
      {words(origin)},{' '}
      <span className="breaks">
        {actor.type === 'user' ? <Member id={actor.id} /> : <Program type={actor.type} id={actor.id} />}
      </span>
    </>
  )
}

function Member({ id }: { readonly id: number }) {
  return useMemberNames()(id)
}

function Program({ type, id }: { readonly type: Actor['type']; readonly id: number }) {
  const isKey = type === 'key'
  const programs = useApi<(Schema<'ApiKey'> | Schema<'ServiceAccount'>)[]>(
    isKey ? '/api/core/apikeys' : '/api/core/service-accounts',
  )
  const name = programs.data?.data.find((each) => each.id === id)?.name
  return `${isKey ? 'key' : 'service account'} ${name ?? id}`
}
