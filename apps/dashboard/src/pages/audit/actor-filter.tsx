import { Select } from '@mantine/core'
import { API_KEYS, MEMBERS, SERVICE_ACCOUNTS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'

interface Named {
  readonly id: number
  readonly name: string
}

interface Props {
  readonly value: string
  readonly onSet: (actor: string) => void
}

const choicesOf = (type: string, named: readonly Named[] | undefined) =>
  (named ?? []).map(({ id, name }) => ({ value: `${type}:${id}`, label: name }))

/** Whose entries: somebody who is there now, all of a kind, or the member or key that the address names. */
export function ActorFilter({ value, onSet }: Props) {
  const members = useApi<Schema<'Member'>[]>(MEMBERS).data?.data
  const keys = useApi<Schema<'ApiKey'>[]>(API_KEYS).data?.data
  const accounts = useApi<Schema<'ServiceAccount'>[]>(SERVICE_ACCOUNTS).data?.data
  const groups = [
    {
      group: 'All of a kind',
      items: [
        { value: 'user', label: 'All people' },
        { value: 'key', label: 'All keys' },
        { value: 'service_account', label: 'All service accounts' },
        { value: 'system', label: 'Weir itself' },
      ],
    },
    {
      group: 'People',
      items: choicesOf(
        'user',
        members?.map(({ id, email }) => ({ id, name: email })),
      ),
    },
    { group: 'Keys', items: choicesOf('key', keys) },
    { group: 'Service accounts', items: choicesOf('service_account', accounts) },
  ]
  const isListed = groups.some(({ items }) => items.some((item) => item.value === value))
  // Who left and keys that are gone have entries, too.
  const gone = value !== '' && !isListed ? [{ group: 'Gone', items: [{ value, label: value.replace(':', ' ') }] }] : []
  return (
    <Select
      aria-label="Who"
      placeholder="Who"
      size="xs"
      w={190}
      data={[...gone, ...groups.filter(({ items }) => items.length > 0)]}
      value={value || null}
      onChange={(next) => onSet(next ?? '')}
      searchable
      clearable
      nothingFoundMessage="Nobody has this name"
    />
  )
}
