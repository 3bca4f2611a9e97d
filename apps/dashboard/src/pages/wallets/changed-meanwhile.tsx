import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { Money, Time } from '../../parts/values.tsx'

interface Props {
  readonly wallet: Schema<'OperationalWallet'>
  readonly onTake: () => void
  readonly onKeep: () => void
}

/** Says that somebody saved other settings while these were edited. Both are kept until the user decides. */
export function ChangedMeanwhile({ wallet, onTake, onKeep }: Props) {
  return (
    <Alert color="yellow" title="Somebody changed the buffer while you were editing">
      <Stack gap="xs">
        <Text size="sm">
          Since <Time iso={wallet.updatedAt} /> it is <Money amount={wallet.bufferAmount} token={wallet.token} />, and
          the rest {wallet.enableYield ? 'is deployed' : 'stays in the wallet'}.
        </Text>
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
