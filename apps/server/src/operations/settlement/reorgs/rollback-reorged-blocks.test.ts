// Also tested elsewhere: how a reorganization is detected (watch/finality.test.ts), a block that was replaced unnoticed
// (watch/follow-chain.test.ts), inclusions that the final blocks lack (watch/follow-wallets.test.ts), and agents' work of
// a block that left the chain (agents/poll-transactions.test.ts).
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { supplyOf } from '../../../../testing/operations/pending-supply.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { checkPendingTransactions, type Operation } from '../../index.ts'
import { replacesIncludedBlock, rollbackBlocksAbove } from './rollback-reorged-blocks.ts'

const use = useEngine({ confirmations: 3 })

/** A supply whose approval is final and which is in the head block; nothing else is mined. */
async function includedSupply(): Promise<Operation> {
  const plan = await use.client.supply(400n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  await use.dev.included(await use.client.submitAll(await use.client.operation(plan)))
  await use.engine.followOnce()
  return use.client.operation(plan)
}

/** Replaces the head blocks with empty ones; their transactions are in no pool either. */
const reorganize = (depth: number) => use.dev.rpc('anvil_reorg', depth, [])

test('a reorganization undoes the inclusions of its blocks, and the very same stored bytes are sent again', async () => {
  const plan = await includedSupply()
  const { txHash } = supplyOf(plan)
  await reorganize(1)
  await use.dev.mine(1)
  await use.engine.followOnce()
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'pending', blockNumber: null })
  use.engine.clock.advance(10_000)
  await checkPendingTransactions(use.engine.parts, use.engine.chain)
  await use.dev.included(txHash!)
  await use.engine.settle()
  expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
  expect(supplyOf(await use.client.operation(plan)).txHash).toBe(txHash)
})

test('bytes that a reorganization removed keep their submission when a node refuses them once', async () => {
  const plan = await includedSupply()
  const { txHash } = supplyOf(plan)
  await reorganize(1)
  await use.dev.mine(1)
  await use.engine.followOnce()
  use.engine.clock.advance(10_000)
  const refusal = { outcome: 'refused', code: 'SIMULATION_FAILED', reason: 'txpool is full' } as const
  await checkPendingTransactions(use.engine.parts, { ...use.engine.chain, broadcast: async () => refusal })
  expect(await use.client.operation(plan)).toMatchObject({ state: 'CONFIRMING' })
  await checkPendingTransactions(use.engine.parts, use.engine.chain)
  await use.dev.included(txHash!)
  await use.engine.settle()
  expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
})

test('only blocks above the last common one are undone, and their stored bytes count as unsent', async () => {
  const plan = await includedSupply()
  const { blockNumber, txHash } = supplyOf(plan)
  await rollbackBlocksAbove(use.engine.parts, 'polygon', blockNumber!)
  expect(await use.client.operation(plan)).toEqual(plan)
  await rollbackBlocksAbove(use.engine.parts, 'polygon', blockNumber! - 1)
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'pending', blockNumber: null, txHash })
  const sent = await use.engine.db
    .selectFrom('transaction_hashes')
    .select(['tx_hash', 'broadcast_at'])
    .where('organization_id', '=', plan.organizationId)
    .orderBy('transaction_id')
    .execute()
  expect(sent).toMatchObject([{ broadcast_at: expect.any(Date) }, { tx_hash: txHash, broadcast_at: null }])
})

test('a reorganization keeps a transaction that the new blocks include as well, at its new place', async () => {
  const plan = await includedSupply()
  const raw = await use.client.sign(supplyOf(plan))
  await reorganize(1)
  await use.dev.sendRaw(raw)
  await use.dev.included(keccak256(raw))
  await use.engine.settle()
  expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
  const { blockNumber } = supplyOf(await use.client.operation(plan))
  expect((await use.engine.chain.block(blockNumber!))!.transactions.map(({ hash }) => hash)).toContain(keccak256(raw))
})

test('a reorganization that removes a transaction for good leaves no nonce gap in later plans', async () => {
  const before = await use.client.supply(100n * USDC)
  await use.dev.included(await use.client.useNonce())
  expect((await use.client.supply(100n * USDC)).transactions[0]!.nonce).toBe(before.transactions[0]!.nonce! + 1)
  await use.engine.followOnce()
  await reorganize(1)
  await use.engine.followOnce()
  const after = await use.client.supply(100n * USDC)
  expect(after.transactions[0]!.nonce).toBe(before.transactions[0]!.nonce)
  expect((await use.client.complete(after)).state).toBe('COMPLETED')
})

test('a final block replaces an included one only under the same number with another hash', async () => {
  const { blockNumber: number, blockHash: hash } = supplyOf(await includedSupply())
  const replaces = (block: { number: number; hash: string }, blockchain = 'polygon') =>
    replacesIncludedBlock(use.engine.parts, blockchain, block)
  expect(await replaces({ number: number!, hash: '0xother' })).toBe(true)
  expect(await replaces({ number: number!, hash: hash! })).toBe(false)
  expect(await replaces({ number: number! + 1, hash: '0xother' })).toBe(false)
  expect(await replaces({ number: number!, hash: '0xother' }, 'base')).toBe(false)
})
