import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'

interface Props {
  readonly about: 'operation' | 'payment'
  readonly id: number
}

/** Where to look when a receiver misses what happened to this. */
export function ActivityLinks({ about, id }: Props) {
  return (
    <Text size="sm" className="no-print">
      <Anchor
        component={Link}
        to={'/app/activity' as never}
        search={{ tab: 'webhooks', id, ...(about === 'payment' && { about }) } as never}
        size="sm"
      >
        Webhook deliveries about this {about}
      </Anchor>
      {' · '}
      <Anchor component={Link} to={'/app/activity' as never} search={{ [about]: id } as never} size="sm">
        Its events
      </Anchor>
    </Text>
  )
}
