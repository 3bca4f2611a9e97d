import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Time } from '../../parts/values.tsx'
import { differences, type Version } from './draft.ts'

interface Props {
  /** What the draft began with. */
  readonly base: Version
  readonly current: Version
  readonly onTake: () => void
  readonly onKeep: () => void
}

/** Says that somebody published while a draft was open, and what. Both are kept until the user decides. */
export function Meanwhile({ base, current, onTake, onKeep }: Props) {
  return (
    <Alert color="yellow" title={`Version ${current.version} came into force while you were editing`}>
      <Stack gap="xs">
        <Text size="sm">
          {current.updatedBy?.email ?? 'Somebody'} published it <Time iso={current.updatedAt} />. It changed:
        </Text>
        <ul>
          {differences(base, current).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <Group gap="xs">
          <Button size="xs" onClick={onKeep}>
            Keep my draft, on version {current.version}
          </Button>
          <Button size="xs" variant="default" onClick={onTake}>
            Discard my draft
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
