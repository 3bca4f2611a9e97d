import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Silence } from '../../lib/text/silence.ts'
import { Time } from '../values.tsx'

interface Props {
  readonly silence: Silence | undefined
  /** What waits, such as `this operation waits`. */
  readonly waits: string
}

/** Says that nobody signs: which agent is silent, and since when. */
export function SilentAgent({ silence, waits }: Props) {
  if (silence === undefined) return null
  const { kind, silent } = silence
  const [last] = silent
  return (
    <Alert role="status" color={kind === 'some' ? 'gray' : 'yellow'} title={titleOf(silence)}>
      <Text size="sm">
        {last && (
          <>
            {silent.length === 1 ? last.keyName : `${last.keyName}, the last of these,`} last polled{' '}
            <Time iso={last.polledAt} isPast />.{' '}
          </>
        )}
        {sentence(kind === 'some' ? `if one of these signs for this wallet, ${waits}` : waits)}{' '}
        {kind === 'none' ? 'for an agent to sign.' : 'until it polls again.'}{' '}
        <Anchor component={Link} to={'/app/health' as never} size="sm" c="inherit" underline="always">
          See all agents
        </Anchor>
      </Text>
    </Alert>
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function titleOf({ kind, silent, agents }: Silence): string {
  if (kind === 'none') return 'No agent polled in the last seven days'
  if (kind === 'some') return `${silent.length} of ${agents} agents ${silent.length === 1 ? 'is' : 'are'} silent`
  return agents === 1 ? 'Your agent is silent' : `All ${agents} agents are silent`
}
