import { Anchor, Code, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/types.ts'
import { actionText } from '../../lib/text/action-text.ts'
import { nameOfActor } from '../../lib/text/name-of-actor.ts'
import { Facts, Hash, Time } from '../../parts/values.tsx'

/** One entry with its details, and the way to what else the same actor did. */
export function EntryPanel({ entry, onLeave }: { readonly entry: Schema<'AuditEntry'>; readonly onLeave: () => void }) {
  const { actor, object } = entry
  return (
    <Stack>
      <Facts
        items={[
          ['Action', actionText(entry.action)],
          ['In the API', <Code key="a">{entry.action}</Code>],
          ['Who', nameOfActor(actor)],
          ['On', `${object.type.replaceAll('_', ' ')} ${object.id ?? ''}`],
          ['From', entry.from ?? '–'],
          ['When', <Time key="t" iso={entry.at} />],
          ['Hash', <Hash key="h" value={entry.hash} length={12} />],
          ['Before it', <Hash key="p" value={entry.previousHash} length={12} />],
        ]}
      />
      <Anchor
        component={Link}
        to={'/app/audit' as never}
        search={{ actor: actor.id === null ? actor.type : `${actor.type}:${actor.id}` } as never}
        onClick={onLeave}
        size="sm"
        className="no-print"
      >
        Everything by this actor
      </Anchor>
      <Text size="sm" fw={600}>
        Details
      </Text>
      <Code block tabIndex={0} className="curl">
        {JSON.stringify(entry.details, null, 2)}
      </Code>
    </Stack>
  )
}
