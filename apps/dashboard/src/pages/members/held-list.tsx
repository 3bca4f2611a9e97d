import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Time, words } from '../../parts/values.tsx'
import { powersOf } from '../developers/permissions.ts'
import { type Held, isNothing } from './what-they-hold.ts'

interface Props {
  readonly held: Held
  /** Says in words what the list is, such as "keep working". */
  readonly children: string
}

/** Keys, secrets and webhooks of a member by name, with what each can do, and the way to end it. */
export function HeldList({ held, children }: Props) {
  if (isNothing(held))
    return <Text size="sm">They created no key and no webhook, and hold no secret of a service account.</Text>
  return (
    <>
      <Text size="sm">{children}</Text>
      <ul className="held">
        {held.keys.map((key) => (
          <li key={`key ${key.id}`}>
            <To page="/app/developers" search={{ q: key.name }} name={`Key ${key.name}`} />: it{' '}
            {powersOf(key).join(', ')}; last used <Time iso={key.lastUsedAt} />
          </li>
        ))}
        {held.accounts.map(({ id, name, role }) => (
          <li key={`account ${id}`}>
            <To page="/app/developers" search={{ tab: 'accounts', open: id }} name={`Service account ${name}`} />: they
            know its secret, with the role {words(role).toLowerCase()}
          </li>
        ))}
        {held.webhooks.map(({ id, url }) => (
          <li key={`webhook ${id}`}>
            <To page="/app/activity" search={{ tab: 'webhooks', open: id }} name={`Webhook to ${url}`} />
          </li>
        ))}
      </ul>
    </>
  )
}

function To({
  page,
  name,
  search = {},
}: {
  readonly page: string
  readonly name: string
  readonly search?: Readonly<Record<string, string | number>>
}) {
  return (
    <Anchor
      component={Link}
      to={page as never}
      search={search as never}
      size="sm"
      underline="always"
      className="breaks"
    >
      {name}
    </Anchor>
  )
}
