import { Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { ownLabel } from '../../lib/own-label.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { words } from '../../parts/values.tsx'

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

const { hash, money, shown, state, text, time } = columnsFor<ListedOperation>()

const first = [
  shown(
    'Operation',
    ({ id, type, status, revokesAllowance }) => (
      <>
        {`${revokesAllowance ? 'Revoke' : words(type)} #${id}`}
        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
          {words(status)}
        </Text>
      </>
    ),
    'id',
  ),
  text('Type', 'type', { csvOnly: true }),
  state('State', 'status', { wide: true }),
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

export const operationColumns = [...first, signedBy, created]

/** With room for the decision; who signs is in the CSV and on the operation's page. */
export const inboxColumns = [...first, { ...signedBy, csvOnly: true }, created]
