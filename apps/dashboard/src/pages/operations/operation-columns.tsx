import { Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { ownLabel } from '../../lib/text/own-label.ts'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { Status, words } from '../../parts/values.tsx'

/** What an operation of the queue and one of the history have in common. */
export type ListedOperation = Pick<
  Schema<'OperationHistoryItem'>,
  | 'id'
  | 'type'
  | 'status'
  | 'amount'
  | 'token'
  | 'origin'
  | 'executor'
  | 'createdAt'
  | 'revokesAllowance'
  | 'walletAddress'
  | 'walletLabel'
  | 'blockchain'
>

/** One of the queue: it may wait for approvals. */
export type QueuedOperation = ListedOperation &
  Pick<Schema<'OperationQueueItem'>, 'approvals' | 'requiredApprovals' | 'approvalRule'>

const { hash, money, shown, state, text, time } = columnsFor<ListedOperation>()

/** The approvals that count, of those that are required; none unless it waits for some. */
const approvalsOf = ({ approvals, requiredApprovals }: Partial<QueuedOperation>): string | undefined =>
  approvals === undefined ? undefined : `${approvals} of ${requiredApprovals}`

const named = [
  shown(
    'Operation',
    (operation) => (
      <>
        {`${operation.revokesAllowance ? 'Revoke' : words(operation.type)} #${operation.id}`}
        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
          {[words(operation.status), approvalsOf(operation)].filter((part) => part !== undefined).join(', ')}
        </Text>
      </>
    ),
    'id',
  ),
  text('Type', 'type', { csvOnly: true }),
]
const moved = [
  // A revocation moves nothing; its amount on the page is what could have been taken, which no sum of amounts may hold.
  {
    ...money('Amount', ({ amount, revokesAllowance }) => revokesAllowance ?? amount, 'token'),
    csv: ({ amount }: ListedOperation) => amount,
  },
  text('Revokes', 'revokesAllowance', { csvOnly: true }),
  text('Token', 'token', { csvOnly: true }),
  hash('Wallet', 'walletAddress', { label: 'walletLabel', wide: true }),
  text('Wallet label', ({ walletAddress, walletLabel }) => ownLabel(walletAddress, walletLabel), { csvOnly: true }),
  text('Chain', 'blockchain', { csvOnly: true }),
  shown('Planned by', ({ origin }) => words(origin), 'origin', { wide: true }),
]
const signedBy = shown('Signed by', ({ executor }) => words(executor), 'executor', { wide: true })
const created = time('Created', 'createdAt', { wide: true })

export const operationColumns = [...named, state('State', 'status', { wide: true }), ...moved, signedBy, created]

const queued = columnsFor<QueuedOperation>()
/** The state, and below it the approvals and why they are required. */
const stateWithApprovals = queued.shown(
  'State',
  (operation) => {
    const { approvalRule, status } = operation
    const approvals = approvalsOf(operation)
    return (
      <>
        <Status value={status} />
        {approvals !== undefined && (
          <Text size="xs" c="dimmed" component="div">
            {approvals}, by{' '}
            {approvalRule === null || approvalRule === undefined ? (
              'default'
            ) : (
              <span className="label" title={approvalRule}>
                {approvalRule}
              </span>
            )}
          </Text>
        )}
      </>
    )
  },
  'status',
  { wide: true },
)

/** With room for the decision; who signs is in the CSV and on the operation's page. */
export const inboxColumns = [
  ...named,
  stateWithApprovals,
  ...moved,
  queued.text('Approvals', (operation) => approvalsOf(operation), { csvOnly: true }),
  queued.text('Approval rule', 'approvalRule', { csvOnly: true }),
  { ...signedBy, csvOnly: true },
  created,
]
