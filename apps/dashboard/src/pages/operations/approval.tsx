import { Card, Stack, Text, Title } from '@mantine/core'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Time } from '../../parts/values.tsx'
import { Decide } from './decide.tsx'

export function Approval({
  operation,
  canReadLog,
}: {
  readonly operation: Schema<'CoreOperation'>
  readonly canReadLog: boolean
}) {
  const decisions = useApi<Data<'listAuditLog'>>(
    canReadLog && operation.requiredApprovals > 0
      ? `/api/core/audit-log?object=operation:${operation.id}&limit=50&offset=0`
      : null,
  )
  const approved = (decisions.data?.data.entries ?? []).filter(({ action }) => action === 'approveOperation')
  const waits = operation.status === 'PENDING_APPROVAL'
  return (
    <Card withBorder component="section" aria-label="Approval">
      <Stack gap="xs">
        <Title order={3} size="h5">
          Approval
        </Title>
        <Text size="sm">
          {operation.requiredApprovals === 0
            ? 'The approval policy lets this operation proceed.'
            : `${operation.requiredApprovals} ${operation.requiredApprovals === 1 ? 'approval is' : 'approvals are'} required${operation.approvalRule ? ` by the rule “${operation.approvalRule}”` : ' by the default of the policy'}.`}
        </Text>
        {operation.reasons?.policy && (
          <Text size="sm" c="dimmed">
            {operation.reasons.policy}
          </Text>
        )}
        {approved.map((entry) => (
          <Text key={entry.id} size="sm">
            Approved by {entry.actor.name ?? `${entry.actor.type} ${entry.actor.id}`} <Time iso={entry.at} />
          </Text>
        ))}
        {waits && decisions.data && (
          <Text size="sm" fw={500}>
            {Math.max(0, operation.requiredApprovals - approved.length)} still missing
          </Text>
        )}
        {waits && <Decide operation={operation} />}
      </Stack>
    </Card>
  )
}
