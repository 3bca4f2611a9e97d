// Also tested elsewhere: with the operation they belong to (insert-operation.test.ts), and among others that remain
// (leasing/rewrite-steps.test.ts).
import { expect, test } from 'vitest'
import { step, useStore } from '../../../../testing/operations/use-store.ts'
import { insertTransactions, type NewTransaction } from './insert-transactions.ts'

const store = useStore()

test('with bytes a transaction is issued and can land; without, it is planned and gets the next id', async () => {
  const wallet = await store.wallet()
  const operation = await store.move(await store.operationalWallet(wallet))
  const { organizationId, operationId } = operation
  const add = (position: number, more: Partial<NewTransaction> = {}): NewTransaction => ({
    ...step('supply'),
    transactionId: null,
    position,
    blockchain: 'polygon',
    sender: wallet.address,
    bytes: null,
    ...more,
  })
  const bytes = { nonce: 3, unsignedBytes: '0x02', validUntil: null, blockhash: null, lastValidBlockHeight: null }
  await store.tx((tx) =>
    insertTransactions(organizationId, operationId, [add(2), add(3, { bytes, transactionId: 900_000 })]).execute(tx),
  )
  const { transactions } = await store.reload(operation)
  expect(transactions.map(({ position, state, canStillLand }) => [position, state, canStillLand])).toEqual([
    [0, 'planned', false],
    [1, 'planned', false],
    [2, 'planned', false],
    [3, 'issued', true],
  ])
  expect(transactions[2]!.transactionId).toBeGreaterThan(transactions[1]!.transactionId)
  expect(transactions[3]).toMatchObject({ transactionId: 900_000, nonce: 3, unsignedBytes: '0x02' })
  expect(transactions[2]!.call).toEqual(step('supply').call)
})
