import { Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
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
  state('State', 'status', { wide: true }),
  // A revocation moves nothing; its amount is what could have been taken.
  money('Amount', ({ amount, revokesAllowance }) => revokesAllowance ?? amount, 'token'),
  text('Token', 'token', { csvOnly: true }),
  hash('Wallet', 'walletAddress', { label: 'walletLabel', wide: true }),
  text('Wallet label', 'walletLabel', { csvOnly: true }),
  text('Chain', 'blockchain', { csvOnly: true }),
  shown('Planned by', ({ origin }) => words(origin), 'origin', { wide: true }),
]
const signedBy = shown('Signed by', ({ executor }) => words(executor), 'executor', { wide: true })
const created = time('Created', 'createdAt', { wide: true })

export const operationColumns = [...first, signedBy, created]

/** With room for the decision; who signs is in the CSV and on the operation's page. */
export const inboxColumns = [...first, { ...signedBy, csvOnly: true }, created]
