import { concat, encodeErrorResult, type Hex, pad, parseAbi, size, toHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../testing/chains/test-chain.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { type EngineFixture, startEngineFixture } from '../../testing/operations/engine-fixture.ts'
import type { TestClient } from '../../testing/operations/test-client.ts'
import { USDC } from '../../testing/units.ts'
import { createFollower, type Follower } from './index.ts'

let dev: TestChain
let ends: (() => Promise<void>)[] = []
beforeEach(async () => {
  dev = await startTestChain()
  ends = [dev.stop]
})
afterEach(async () => {
  for (const end of ends.reverse()) await end()
})

/** A service on the chain, and a client with 1,000 USDC that are in the ledger. */
async function start(confirmations = 1): Promise<{ engine: EngineFixture; client: TestClient }> {
  const engine = await startEngineFixture(dev, { confirmations })
  ends.push(engine.close)
  const client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  return { engine, client }
}

const signal = new AbortController().signal
const follow = ({ parts, chain }: EngineFixture, print: (line: string) => void = () => {}): Follower =>
  createFollower(parts, chain, { isDevelopment: true, print })

const AAVE = 'aave-v3:polygon:USDC'
const VAULT = 'erc4626:polygon:USDC'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const REVERT = '0x60006000fd'
const STOP = '0x00'

const setCode = (address: string, code: Hex) => dev.rpc('anvil_setCode', address, code)

/** Code that emits a share transfer from an address to itself for any call, and returns nothing. */
function emittingCode(address: Hex): Hex {
  const push = (word: Hex) => concat(['0x7f', pad(word)])
  return concat([push(address), push(address), push(TRANSFER), '0x60006000a300'])
}

/** Code that reverts any call with this reason, as Solidity's `revert(reason)`. */
function revertingCode(reason: string): Hex {
  const data = encodeErrorResult({ abi: parseAbi(['error Error(string reason)']), args: [reason] })
  const length = pad(toHex(size(data)), { size: 2 })
  // CODECOPY(0, 15, length), then REVERT(0, length).
  return concat(['0x61', length, '0x600f60003961', length, '0x6000fd00', data])
}

test('a vault that reverts does not block the reconciliation of new wallets', async () => {
  const { engine } = await start()
  const vault = engine.strategy(VAULT).params.vault!
  await setCode(vault, REVERT)
  await dev.mine(1)
  const other = await engine.client({ usdc: 0n })
  await engine.settle()
  const { reconciled_block } = await engine.db
    .selectFrom('wallets')
    .select('reconciled_block')
    .where('id', '=', other.wallet.walletId)
    .executeTakeFirstOrThrow()
  expect(reconciled_block).not.toBeNull()
})

test('an unresponsive contract stops no block, and other positions continue', async () => {
  const { engine, client } = await start()
  const vault = engine.strategy(VAULT).params.vault!
  await setCode(vault, emittingCode(client.address))
  await dev.included(await dev.call(client.account, vault, '0x'))
  await engine.settle()
  expect((await client.complete(await client.supply(400n * USDC, AAVE))).state).toBe('COMPLETED')
  await expectValidLedger(engine)
})

test('a position whose contract stops responding keeps its last value, and can be withdrawn once it responds again', async () => {
  const { engine, client } = await start()
  await client.complete(await client.supply(400n * USDC, VAULT))
  const vault = engine.strategy(VAULT).params.vault!
  const code = await dev.rpc<Hex>('eth_getCode', vault, 'latest')
  await setCode(vault, emittingCode(client.address))
  await dev.included(await dev.call(client.account, vault, '0x'))
  await engine.settle()
  const allocation = await engine.db.selectFrom('allocations').select(['status', 'shares']).executeTakeFirstOrThrow()
  expect(allocation.status).toBe('ACTIVE')
  expect(allocation.shares).toBeGreaterThan(0n)
  await setCode(vault, code)
  expect((await client.complete(await client.unwind('full', VAULT))).state).toBe('COMPLETED')
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('a supply that a contract accepts without an event completes, and its reservation is released', async () => {
  const { engine, client } = await start()
  const plan = await client.supply(100n * USDC, AAVE)
  await client.submit(plan, await client.sign(plan.transactions[0]!))
  await engine.settle()
  await setCode(engine.strategy(AAVE).params.pool!, STOP)
  await dev.included(await client.submitAll(await client.operation(plan)))
  await engine.settle()
  expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: null })
  const { available, reserved } = await engine.db
    .selectFrom('ledger_balances')
    .select(['available', 'reserved'])
    .where('token_address', '=', client.usdcAddress)
    .executeTakeFirstOrThrow()
  expect({ available, reserved }).toEqual({ available: 1_000n * USDC, reserved: 0n })
  await expectValidLedger(engine)
})

test('a contract that reverts with an endless reason, or one that no database can store, settles as reverted', async () => {
  const { engine, client } = await start()
  const plan = await client.supply(100n * USDC, AAVE)
  await client.submit(plan, await client.sign(plan.transactions[0]!))
  await engine.settle()
  await setCode(engine.strategy(AAVE).params.pool!, revertingCode(`no\u0000\u001b[31m\n${'x'.repeat(20_000)}`))
  await dev.included(await client.submitAll(await client.operation(plan)))
  await engine.settle()
  const settled = await client.operation(plan)
  expect(settled.state).toBe('FAILED')
  const { revert_reason: reason } = await engine.db
    .selectFrom('transactions')
    .select('revert_reason')
    .where('revert_reason', 'is not', null)
    .executeTakeFirstOrThrow()
  expect(reason).toMatch(/^no {2}\[31m x{900,}$/)
  expect(reason!.length).toBeLessThanOrEqual(1_000)
  await expectValidLedger(engine)
})

test('a final block whose state no node has any longer is settled and passed', async () => {
  // Deeper than what the node keeps.
  const { engine, client } = await start(200)
  const plan = await client.supply(400n * USDC)
  await dev.included(await client.submitAll(plan))
  await engine.settle()
  expect((await client.operation(plan)).state).toBe('COMPLETED')
})

test('a replaced final block is reported once, and following continues from there', async () => {
  const { engine, client } = await start(3)
  const printed: string[] = []
  const follower = follow(engine, (line) => printed.push(line))
  await dev.mine(4)
  await follower.round(signal)
  await dev.rpc('anvil_reorg', 5, [])
  await expect(follower.round(signal)).rejects.toThrow('follows a different final block than before')
  await follower.round(signal)
  await dev.mine(3)
  await follower.round(signal)
  expect(printed).toEqual([expect.stringContaining('no longer exists')])
  const plan = await client.supply(400n * USDC)
  await dev.included(await client.submitAll(plan))
  await dev.mine(3)
  await follower.round(signal)
  expect((await client.operation(plan)).state).toBe('COMPLETED')
  await expectLedgerMatchesChain(engine)
})

test('nonces that vanished with final blocks are available to the next plan', async () => {
  const { engine, client } = await start()
  const snapshot = await dev.rpc('evm_snapshot')
  expect((await client.complete(await client.supply(400n * USDC))).state).toBe('COMPLETED')
  const waiting = await client.supply(10n * USDC)
  await dev.rpc('evm_revert', snapshot)
  await dev.mine(9)
  const follower = follow(engine)
  await follower.round(signal)
  const again = await client.supply(300n * USDC)
  expect(again.transactions[0]!.nonce).toBeLessThan(waiting.transactions[0]!.nonce!)
  await dev.included(await client.submitAll(again))
  await follower.round(signal)
  expect((await client.operation(again)).state).toBe('COMPLETED')
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})
