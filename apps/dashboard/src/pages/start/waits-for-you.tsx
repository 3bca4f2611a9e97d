import { Alert, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { QUEUE } from '../../api/paths.ts'
import type { Data } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Money } from '../../parts/values.tsx'

/** The operation of the wallet that the approval policy stops: the agent gets nothing to sign before a person says yes. */
export function WaitsForYou({ opWalletId }: { readonly opWalletId: number }) {
  const path = `${QUEUE}?opWalletId=${opWalletId}&status=PENDING_APPROVAL&limit=1&offset=0`
  const [waiting] = useApi<Data<'getOperationQueue'>>(path).data?.data.intents ?? []
  if (waiting === undefined) return null
  return (
    <Alert color="yellow" title={`Operation ${waiting.id} waits for your approval`}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" maw={520}>
          Weir planned a {waiting.type === 'SUPPLY' ? 'deposit' : 'withdrawal'} of{' '}
          <Money amount={waiting.amount} token={waiting.token} />. Your approval policy requires a person to approve it
          before the agent can sign it.
        </Text>
        <Button
          component={Link}
          to={'/app/operations' as never}
          search={{ open: waiting.id } as never}
          target="_blank"
          variant="default"
        >
          Review operation {waiting.id}
        </Button>
      </Group>
    </Alert>
  )
}
