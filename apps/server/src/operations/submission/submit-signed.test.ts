// Also tested elsewhere: what a node makes of the bytes (transactions/broadcast-stored-bytes.test.ts), crashes
// (crash-recovery.test.ts, settlement/pending/check-pending.test.ts), and every refusal over HTTP (system/money/submission.test.ts).
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain } from '../../../testing/ledger/expect-ledger.ts'
import { supplyOf } from '../../../testing/operations/pending-supply.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { cancelOperation, submitHash, submitSigned } from '../index.ts'

const use = useEngine()
const refused = (code: string) => expect.objectContaining({ code })

test('the same bytes again return the first result', async () => {
  const plan = await use.client.supply(100n * USDC)
  const raw = await use.client.sign(plan.transactions[0]!)
  const first = await use.client.submit(plan, raw)
  expect(await use.client.submit(plan, raw)).toEqual(first)
  await use.engine.settle()
  expect(await use.client.submit(plan, raw)).toEqual(first)
})

test('bytes that do not match the plan are refused, and neither stored nor sent', async () => {
  const plan = await use.client.supply(100n * USDC)
  const before = await use.client.operation(plan)
  const [approve] = plan.transactions
  const stranger = await use.engine.client({ usdc: 0n })
  const others = [
    use.client.sign(approve!, { change: { to: stranger.address } }),
    use.client.sign(approve!, { change: { value: 1n } }),
    use.client.sign(approve!, { change: { data: '0x095ea7b3' } }),
    use.client.sign(approve!, { change: { nonce: 7 } }),
    use.client.sign(approve!, { change: { chainId: 1 } }),
    stranger.sign(approve!),
  ]
  for (const other of others) {
    await expect(use.client.submit(plan, await other)).rejects.toEqual(refused('TRANSACTION_MISMATCH'))
  }
  expect(await use.client.operation(plan)).toEqual(before)
  const stored = await use.engine.db
    .selectFrom('transaction_hashes')
    .selectAll()
    .where('transaction_id', '=', approve!.transactionId)
    .execute()
  expect(stored).toEqual([])
})

test('other bytes for a plan that has ended get the error of its end; what is no transaction stays invalid', async () => {
  const cancelled = await use.client.supply(100n * USDC)
  await cancelOperation(use.engine.parts, use.client.scope, cancelled.operationId)
  const other = await use.client.sign(cancelled.transactions[0]!, { change: { value: 1n } })
  await expect(use.client.submit(cancelled, other)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  await expect(use.client.submit(cancelled, '0xdead')).rejects.toEqual(refused('VALIDATION_ERROR'))
  const expired = await use.client.supply(100n * USDC)
  use.engine.clock.advance(500_000)
  const late = await use.client.sign(expired.transactions[0]!, { change: { value: 1n } })
  await expect(use.client.submit(expired, late)).rejects.toEqual(refused('OPERATION_EXPIRED'))
})

test('a replacement of a transaction that the client broadcast itself is judged by the node', async () => {
  const plan = await use.client.supply(100n * USDC)
  const [approve] = plan.transactions
  await use.dev.mineAtOnce(false)
  const txHash = await use.dev.sendRaw(await use.client.sign(approve!))
  const { parts } = use.engine
  const { scope } = use.client
  await submitHash(parts, { scope, operationId: plan.operationId, txHash })
  const [cheap, dear] = await Promise.all([103n, 130n].map((feePercent) => use.client.sign(approve!, { feePercent })))
  await expect(use.client.submit(plan, cheap!)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
  const replaced = await use.client.submit(plan, dear!)
  expect(replaced.txHash).not.toBe(txHash)
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  expect((await use.client.operation(plan)).transactions[0]).toMatchObject({
    status: 'confirmed',
    txHash: replaced.txHash,
  })
})

test('a dearer version of a transaction in a block is refused as submitted, before that block is settled too', async () => {
  const plan = await use.client.supply(100n * USDC)
  const [approve] = plan.transactions
  const { txHash } = await use.client.submit(plan, await use.client.sign(approve!))
  await use.dev.included(txHash)
  const dear = await use.client.sign(approve!, { feePercent: 130n })
  await expect(use.client.submit(plan, dear)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
  await use.engine.settle()
  await expect(use.client.submit(plan, dear)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
})

test('transactions are submitted in order', async () => {
  const plan = await use.client.supply(100n * USDC)
  const raw = await use.client.sign(plan.transactions[1]!)
  await expect(use.client.submit(plan, raw)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
})

test('bytes of an operation that is cancelled while they are checked are refused, and neither stored nor sent', async () => {
  const { engine, client } = use
  const plan = await client.supply(100n * USDC)
  const [approve] = plan.transactions
  const signedTransaction = await client.sign(approve!)
  const sent: string[] = []
  const chain: typeof engine.chain = {
    ...engine.chain,
    async checkSigned(text, expected) {
      await cancelOperation(engine.parts, client.scope, plan.operationId)
      return engine.chain.checkSigned(text, expected)
    },
    broadcast(raw) {
      sent.push(raw)
      return engine.chain.broadcast(raw)
    },
  }
  const parts = { ...engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
  const submission = { scope: client.scope, operationId: plan.operationId, signedTransaction }
  await expect(submitSigned(parts, submission)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  const stored = engine.db.selectFrom('transaction_hashes').select('tx_hash')
  expect(await stored.where('transaction_id', '=', approve!.transactionId).execute()).toEqual([])
  expect(sent).toEqual([])
})

test('bytes of an expired operation that the chain knows are linked, not refused', async () => {
  const plan = await use.client.supply(600n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  const raw = await use.client.sign(plan.transactions[1]!)
  use.engine.clock.advance(500_000)
  expect((await use.client.operation(plan)).state).toBe('FAILED')
  await expect(use.client.submit(plan, raw)).rejects.toEqual(refused('OPERATION_EXPIRED'))
  const hash = await use.dev.included(await use.dev.sendRaw(raw))
  expect(await use.client.submit(plan, raw)).toMatchObject({ txHash: hash })
  await use.engine.settle()
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  expect(await use.client.submit(plan, raw)).toMatchObject({ txHash: hash })
  await expectLedgerMatchesChain(use.engine)
})

test('bytes that the chain knows are linked after the expiry, too, while an earlier transaction is in flight', async () => {
  await use.dev.mineAtOnce(false)
  const plan = await use.client.supply(100n * USDC)
  const approval = await use.client.sign(plan.transactions[0]!)
  const raw = await use.client.sign(plan.transactions[1]!)
  await use.client.submit(plan, approval)
  use.engine.clock.advance(500_000)
  await expect(use.client.submit(plan, raw)).rejects.toEqual(refused('OPERATION_EXPIRED'))
  const hash = await use.dev.sendRaw(raw)
  expect(await use.client.submit(plan, raw)).toMatchObject({ txHash: hash })
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  await expectLedgerMatchesChain(use.engine)
})

test('the hash of bytes of an expired operation that the chain knows is shown at once', async () => {
  const plan = await approvedPlan()
  const raw = await use.client.sign(supplyOf(plan))
  use.engine.clock.advance(500_000)
  await use.dev.mineAtOnce(false)
  const hash = await use.dev.sendRaw(raw)
  await use.client.submit(plan, raw)
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'failed', txHash: hash })
})

test('bytes that the chain knows belong to the unfinished plan, not to one with the same bytes that ended', async () => {
  const first = await approvedPlan()
  const second = await use.client.supply(100n * USDC)
  const twin = supplyOf(second)
  expect(twin).toMatchObject({ nonce: supplyOf(first).nonce, call: supplyOf(first).call })
  await use.dev.mineAtOnce(false)
  const raw = await use.client.sign(twin)
  await use.dev.sendRaw(raw)
  await expect(use.client.submit(first, raw)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
  expect(await use.client.submit(second, raw)).toMatchObject({ transactionId: twin.transactionId })
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  expect((await use.client.operation(second)).state).toBe('COMPLETED')
  expect((await use.client.operation(first)).state).toBe('ABORTED')
})

/** A plan whose approval is final and whose supply waits. */
async function approvedPlan() {
  const plan = await use.client.supply(100n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  return use.client.operation(plan)
}
