// Also tested elsewhere: an approval that was made outside Weir meanwhile (agents/poll-transactions.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { step, useStore } from '../../../testing/operations/use-store.ts'
import { unbatched } from '../../database/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { abortUnissued } from '../lifecycle/transitions/abort-unissued.ts'
import { advanceTransaction } from '../lifecycle/transitions/advance-transactions.ts'
import { rewriteSteps } from './rewrite-steps.ts'

const store = useStore()
const SUPPLY = step('supply', '0xbbbbbbbb')
const THREE = [step('approve_reset', '0x00000000'), step('approve', '0xaaaaaaaa'), SUPPLY]
let operation: Operation

beforeEach(async () => {
  operation = await store.move(await store.operationalWallet(await store.wallet()))
})

const rewrite = (steps = THREE) => rewriteSteps(store.parts, operation, steps)
const work = () =>
  store.db
    .selectFrom('agent_work')
    .select(['transaction_id', 'position', 'stage'])
    .where('operation_id', '=', operation.operationId)
    .orderBy('position')
    .execute()
/** The operation and its work are the same before and after. */
async function expectUnchanged(change: () => Promise<void>): Promise<void> {
  const before = { operation: await store.reload(operation), work: await work() }
  await change()
  expect({ operation: await store.reload(operation), work: await work() }).toEqual(before)
}

test('new approvals precede the main transaction, which stays the approved one, and the queue restarts', async () => {
  const main = operation.transactions.at(-1)!
  await rewrite()
  const { transactions } = await store.reload(operation)
  expect(transactions.map(({ kind, call, state }) => ({ kind, call, state }))).toEqual(
    THREE.map(({ kind, call }) => ({ kind, call, state: 'planned' })),
  )
  expect(transactions.at(-1)!.transactionId).toBe(main.transactionId)
  expect(await work()).toEqual(
    transactions.map(({ transactionId: transaction_id, position }) => ({
      transaction_id,
      position,
      stage: position === 0 ? 'ready' : 'waiting',
    })),
  )
})

test('approvals that are no longer needed are removed, and the main transaction is ready at once', async () => {
  await rewrite([SUPPLY])
  const { transactions } = await store.reload(operation)
  expect(transactions.map(({ kind, position }) => [kind, position])).toEqual([['supply', 0]])
  expect(await work()).toMatchObject([{ position: 0, stage: 'ready' }])
})

test('two agents that find the same change at once write the steps once', async () => {
  await Promise.all([rewrite(), rewrite()])
  const { transactions } = await store.reload(operation)
  expect(transactions.map(({ kind }) => kind)).toEqual(THREE.map(({ kind }) => kind))
  expect(await work()).toHaveLength(3)
})

test('once bytes were issued, the steps stay as they are', async () => {
  const [approval] = operation.transactions
  const bytes = { nonce: 1, unsignedBytes: '0x02', validUntil: null, blockhash: null, lastValidBlockHeight: null }
  const change = { event: 'issued', bytes: { ...bytes, call: approval!.call } } as const
  await store.tx((tx) => advanceTransaction(tx, operation, approval!, change))
  await expectUnchanged(() => rewrite())
})

test('an operation that ended, or steps that end in another transaction, are unchanged', async () => {
  await expectUnchanged(() => rewrite([step('approve'), step('unwind')]))
  await store.tx((tx) => abortUnissued(unbatched(tx), [operation], 'It is not wanted.', store.clock.now()))
  await expectUnchanged(() => rewrite())
})
