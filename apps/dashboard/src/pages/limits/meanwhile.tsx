import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Time } from '../../parts/values.tsx'

interface Props {
  /** What somebody changed. */
  readonly what: string
  readonly updatedAt: string | null
  readonly onTake: () => void
  readonly onKeep: () => void
}

/** Says that somebody saved other settings while these were edited. Both are kept until the user decides. */
export function Meanwhile({ what, updatedAt, onTake, onKeep }: Props) {
  return (
    <Alert color="yellow" title={`Somebody changed the ${what} while you were editing`}>
      <Stack gap="xs">
        {updatedAt !== null && (
          <Text size="sm">
            Theirs were saved <Time iso={updatedAt} />.
          </Text>
        )}
        <Group gap="xs">
          <Button size="xs" onClick={onKeep}>
            Keep what I entered
          </Button>
          <Button size="xs" variant="default" onClick={onTake}>
            Take theirs
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
