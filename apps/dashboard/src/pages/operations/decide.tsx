import { Button, Group, Text } from '@mantine/core'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'

/** Approve and reject, for those who may; the row stays where it is until the service has answered. */
export function Decide({
  operation,
  compact,
}: {
  readonly operation: Pick<Schema<'OperationHistoryItem'>, 'id' | 'status'>
  readonly compact?: boolean
}) {
  const may = useMay()
  const decide = useAction<{ approvals?: number; requiredApprovals?: number; status: string }>(
    ({ approvals, requiredApprovals, status }) =>
      approvals === undefined
        ? 'The operation is rejected.'
        : status === 'PENDING_APPROVAL'
          ? `${approvals} of ${requiredApprovals} approvals.`
          : 'The last approval arrived. The agent may sign.',
  )
  if (operation.status !== 'PENDING_APPROVAL')
    return (
      <Text span size="xs" c="dimmed">
        –
      </Text>
    )
  if (!may.approve)
    return (
      <Text span size="xs" c="dimmed">
        Approvers decide
      </Text>
    )
  const size = compact ? 'compact-xs' : 'sm'
  const send = (verb: 'approve' | 'reject') => (event: { stopPropagation: () => void }) => {
    event.stopPropagation()
    decide.mutate({ method: 'POST', path: `/api/core/operations/${operation.id}/${verb}`, body: {} })
  }
  return (
    <Group gap={6} justify={compact ? 'flex-end' : 'flex-start'} wrap="nowrap">
      <Button
        size={size}
        loading={decide.isPending}
        onClick={send('approve')}
        aria-label={`Approve operation ${operation.id}`}
      >
        Approve
      </Button>
      <Button
        size={size}
        variant="default"
        color="red.9"
        disabled={decide.isPending}
        onClick={send('reject')}
        aria-label={`Reject operation ${operation.id}`}
      >
        Reject
      </Button>
    </Group>
  )
}
