import { Group, Stack, Text, Title } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { Hash, Reached, Status, Time, words } from '../../parts/values.tsx'
import { By } from './by.tsx'
import { decidersOf } from './deciders.ts'

export function Timeline({ operation }: { readonly operation: Schema<'CoreOperation'> }) {
  const { timestamps, blockchainTransactions, steps } = operation
  const deciders = decidersOf(operation.decisions ?? [], timestamps.rejectedAt ? 'reject' : 'approve')
  return (
    <Stack gap="sm" component="section" aria-label="Timeline">
      <Title order={3} size="h5">
        Timeline
      </Title>
      <Reached value>
        <ol className="timeline">
          <li data-done>
            <Text size="sm" fw={500}>
              Planned
            </Text>
            <Text size="sm" c="dimmed">
              <By origin={operation.origin} actor={operation.requestedBy} />, <Time iso={timestamps.createdAt.iso} />
            </Text>
          </li>
          {operation.requiredApprovals > 0 && (
            <li
              {...(timestamps.rejectedAt
                ? { 'data-failed': true }
                : timestamps.approvedAt
                  ? { 'data-done': true }
                  : {})}
            >
              <Text size="sm" fw={500}>
                {timestamps.rejectedAt ? 'Rejected' : timestamps.approvedAt ? 'Approved' : 'Approval missing'}
              </Text>
              <Text size="sm" c="dimmed">
                {deciders.length > 0 && `${deciders.join(', ')}, `}
                <Time iso={(timestamps.rejectedAt ?? timestamps.approvedAt)?.iso} />
              </Text>
            </li>
          )}
          {steps.map((step, at) => {
            const transaction = blockchainTransactions[at]
            return (
              <li
                key={step.id}
                {...(step.status === 'COMPLETED'
                  ? { 'data-done': true }
                  : step.status === 'FAILED'
                    ? { 'data-failed': true }
                    : {})}
              >
                <Group gap="xs">
                  <Text size="sm" fw={500}>
                    {words(step.type)}
                  </Text>
                  <Status value={step.status} />
                </Group>
                {transaction && (
                  <Text size="sm" c="dimmed" component="div">
                    <Hash value={transaction.txHash} chain={operation.opWallet.blockchain} />
                    <div>
                      Signed and sent by {operation.executor === 'agent' ? 'an agent' : 'the client'}{' '}
                      <Time iso={transaction.timestamps.submittedAt?.iso} />, seen{' '}
                      <Time iso={transaction.timestamps.detectedAt?.iso} />, in block {transaction.blockNumber ?? '–'},
                      final <Time iso={transaction.timestamps.confirmedAt?.iso} />
                    </div>
                  </Text>
                )}
                {step.error && (
                  <Text size="sm" c="red">
                    {step.error}
                  </Text>
                )}
              </li>
            )
          })}
          <li {...(timestamps.completedAt ? { 'data-done': true } : {})}>
            <Text size="sm" fw={500}>
              {/* Only what completed was settled; the others give back what they held. */}
              {timestamps.completedAt && operation.status !== 'COMPLETED'
                ? 'Ended, and its reservation was released'
                : 'Settled in the ledger'}
            </Text>
            <Text size="sm" c="dimmed">
              <Time iso={timestamps.completedAt?.iso} />
            </Text>
          </li>
        </ol>
      </Reached>
    </Stack>
  )
}
