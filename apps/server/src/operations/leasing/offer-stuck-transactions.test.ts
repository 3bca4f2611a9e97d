// Also tested elsewhere: fees of replacements (chains/evm/fees/fees.test.ts), leases (start-lease.test.ts), and an agent
// that signs a replacement (apps/agent/system/agent.test.ts).
import { type Hex, keccak256 } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, LEASE_MS, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { decodeUnsigned } from '../../chains/evm/transactions/decode-unsigned.ts'
import { REPLACE_AFTER_MS } from '../../kernel/index.ts'
import { DEFAULT_TIMEOUTS } from '../lifecycle/parts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { checkPendingTransactions } from '../settlement/pending/check-pending.ts'
import { broadcastForAgent } from './broadcast-for-agent.ts'
import type { IssuedBytes } from './commit-bytes.ts'
import { offerStuckTransactions } from './offer-stuck-transactions.ts'

const use = useEngine()
let operation: Operation
let agent: TestAgent

beforeEach(async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  agent = createTestAgent(use.engine, use.client)
})

const reload = () => use.client.operation(operation)
const fieldsOf = ({ transaction }: IssuedBytes) => decodeUnsigned(transaction.unsignedBytes)
const hashOf = (raw: string) => keccak256(raw as Hex)
const check = () => checkPendingTransactions(use.engine.parts, use.engine.chain)

/** The first transaction, sent and reported, in no block. */
async function sent(): Promise<IssuedBytes> {
  await use.dev.mineAtOnce(false)
  const issued = await agent.pollRequired()
  await agent.submitted(issued, await agent.send(issued))
  return issued
}
/** What an agent gets once the transaction is stuck. */
async function offered(by: TestAgent = agent): Promise<IssuedBytes> {
  use.engine.clock.advance(REPLACE_AFTER_MS)
  await offerStuckTransactions(use.engine.parts)
  return by.pollRequired()
}
/** Mines what was sent and carries out the rest of the operation. Returns it, with its books. */
async function finish(): Promise<{ state: string; posted: unknown }> {
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  const last = await agent.pollRequired()
  await agent.submitted(last, await use.dev.included(await agent.send(last)))
  await use.engine.settle()
  return { state: (await reload()).state, posted: await use.balances() }
}
const COMPLETED_ONCE = { state: 'COMPLETED', posted: { available: 400n, reserved: 0n, deployed: 600n } }

test('a stuck transaction is issued again with the same nonce and effect and fees at least a tenth higher', async () => {
  const first = fieldsOf(await sent())
  use.engine.clock.advance(REPLACE_AFTER_MS - 1)
  expect(await offerStuckTransactions(use.engine.parts)).toBe(0)
  expect(await agent.poll(), 'it may still be included').toBeUndefined()
  use.engine.clock.advance(1)
  expect(await offerStuckTransactions(use.engine.parts)).toBe(1)
  const replacement = await agent.pollRequired()
  const { maxFeePerGas, maxPriorityFeePerGas, ...same } = fieldsOf(replacement)
  expect(first).toMatchObject(same)
  expect(maxFeePerGas * 10n).toBeGreaterThanOrEqual(first.maxFeePerGas * 11n)
  expect(maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(first.maxPriorityFeePerGas * 11n)
  await agent.submitted(replacement, await agent.send(replacement))
  expect((await reload()).transactions[0]).toMatchObject({ state: 'submitted' })
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('a transaction that waits for an earlier one of its wallet keeps its fees until that one landed', async () => {
  await use.dev.mineAtOnce(false)
  await use.client.useNonce()
  const first = fieldsOf(await sent())
  use.engine.clock.advance(REPLACE_AFTER_MS)
  expect(await offerStuckTransactions(use.engine.parts)).toBe(1)
  expect(await agent.poll(), 'no fee helps it').toBeUndefined()
  expect(await offerStuckTransactions(use.engine.parts), 'it waits as long again').toBe(0)
  // The earlier one pays this, and it does not.
  await use.dev.rpc('anvil_setNextBlockBaseFeePerGas', `0x${(first.maxFeePerGas + 1n).toString(16)}`)
  await use.dev.mine(1)
  const replacement = await offered()
  expect(fieldsOf(replacement).maxFeePerGas).toBeGreaterThan(first.maxFeePerGas)
  await agent.submitted(replacement, await agent.send(replacement))
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('its fees follow the base fee', async () => {
  const first = fieldsOf(await sent())
  const base = first.maxFeePerGas * 3n
  await use.dev.rpc('anvil_setNextBlockBaseFeePerGas', `0x${base.toString(16)}`)
  await use.dev.mine(1)
  expect(fieldsOf(await offered()).maxFeePerGas).toBeGreaterThan(base)
})

test('the earlier version may land although a replacement was issued, and ends the offer', async () => {
  await sent()
  const replacement = await offered()
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  expect((await reload()).transactions[0]!.status).toBe('confirmed')
  await expect(agent.send(replacement)).rejects.toThrow(/nonce/)
  await agent.failed(replacement)
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('after a lapsed lease the same replacement is issued, and two agents together have one effect', async () => {
  await sent()
  const first = await offered()
  use.engine.clock.advance(LEASE_MS + 1)
  const other = createTestAgent(use.engine, use.client)
  const second = await other.pollRequired()
  expect(second.transaction.unsignedBytes).toBe(first.transaction.unsignedBytes)
  const hash = await other.send(second)
  await other.submitted(second, hash)
  await agent.submitted(first, hash)
  expect(await agent.poll(), 'it was sent').toBeUndefined()
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('an agent that dies after sending a replacement leaves it to the chain: it is not DROPPED, and is found', async () => {
  const first = await sent()
  await agent.send(await offered())
  const { txHash } = (await reload()).transactions[0] as { txHash?: string }
  expect(txHash, 'nodes forgot the version that it replaced').toBe(
    await use.client.sign(first.transaction).then(hashOf),
  )
  use.engine.clock.advance(120_000)
  await check()
  expect((await reload()).state).toBe('EXECUTING')
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('each further replacement pays more than the last one, up to the ceiling', async () => {
  const longer = { ...use.engine.parts, timeouts: { ...DEFAULT_TIMEOUTS, inclusionTimeoutMs: 86_400_000 } }
  let last = fieldsOf(await sent())
  let raises = 0
  for (;;) {
    use.engine.clock.advance(REPLACE_AFTER_MS)
    await checkPendingTransactions(longer, use.engine.chain)
    expect(await offerStuckTransactions(use.engine.parts)).toBe(1)
    const issued = await agent.poll()
    if (!issued) break
    await agent.submitted(issued, await agent.send(issued))
    expect(fieldsOf(issued).maxFeePerGas * 10n).toBeGreaterThanOrEqual(last.maxFeePerGas * 11n)
    last = fieldsOf(issued)
    raises += 1
  }
  // 1.1 to the power of 14 is below 4, and of 15 above.
  expect(raises).toBe(14)
  expect(await offerStuckTransactions(use.engine.parts), 'it waits as long again').toBe(0)
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('an agent that refuses a replacement ends nothing: a later one with higher fees is issued', async () => {
  await sent()
  const refused = await offered()
  await agent.failed(refused, { error: 'FEE_BUDGET_REACHED' })
  expect(await agent.poll()).toBeUndefined()
  expect((await reload()).state).toBe('EXECUTING')
  const next = await offered()
  expect(fieldsOf(next).maxFeePerGas).toBeGreaterThan(fieldsOf(refused).maxFeePerGas)
  await agent.submitted(next, await agent.send(next))
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('where the agent itself paid more than planned, nodes take a later version, and unheard reports delay it', async () => {
  await use.dev.mineAtOnce(false)
  const first = await agent.pollRequired()
  await agent.submitted(first, await agent.send(first, { feePercent: 115n }))
  const underpriced = await offered()
  await expect(agent.send(underpriced)).rejects.toThrow(/underpriced/)
  await expect(agent.failed(underpriced, { withToken: false })).rejects.toMatchObject({ code: 'LEASE_LOST' })
  const same = await offered()
  expect(same.transaction.unsignedBytes, 'nobody heard the report').toBe(underpriced.transaction.unsignedBytes)
  await agent.failed(same)
  const next = await offered()
  await agent.submitted(next, await agent.send(next))
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('an agent that sends the earlier version again keeps it sent', async () => {
  const first = await sent()
  const replacement = await offered()
  await agent.submitted({ ...first, lease: replacement.lease }, hashOf(await use.client.sign(first.transaction)))
  expect(await agent.poll()).toBeUndefined()
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('Weir sends the replacement for an agent without an endpoint', async () => {
  await use.dev.mineAtOnce(false)
  const { organizationId } = use.client.wallet
  const send = async ({ transaction, lease: { leaseToken } }: IssuedBytes) => {
    const { transactionId } = transaction
    const signedTransaction = await use.client.sign(transaction)
    return broadcastForAgent(use.engine.parts, { organizationId, transactionId, signedTransaction, leaseToken })
  }
  await send(await agent.pollRequired())
  const { txHash } = await send(await offered())
  expect((await reload()).transactions[0]).toMatchObject({ state: 'submitted', txHash })
  expect(await agent.poll()).toBeUndefined()
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('a wallet that cannot pay the fee of a replacement keeps what was sent', async () => {
  await sent()
  await use.dev.rpc('anvil_setBalance', use.client.address, '0x1')
  use.engine.clock.advance(REPLACE_AFTER_MS)
  await offerStuckTransactions(use.engine.parts)
  expect(await agent.poll()).toBeUndefined()
  expect((await reload()).transactions[0]!.state).toBe('submitted')
  await use.dev.rpc('anvil_setBalance', use.client.address, '0xde0b6b3a7640000')
  expect(await finish()).toEqual(COMPLETED_ONCE)
})

test('the setting 0 turns it off', async () => {
  await sent()
  use.engine.clock.advance(REPLACE_AFTER_MS)
  const parts = { ...use.engine.parts, timeouts: { ...DEFAULT_TIMEOUTS, replaceAfterMs: 0 } }
  expect(await offerStuckTransactions(parts)).toBe(0)
})
