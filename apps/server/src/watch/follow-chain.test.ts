import { afterEach, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../testing/chains/test-chain.ts'
import { expectLedgerMatchesChain, expectValidLedger, unfinished } from '../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../testing/operations/any-state.ts'
import { type EngineFixture, startEngineFixture } from '../../testing/operations/engine-fixture.ts'
import type { TestClient } from '../../testing/operations/test-client.ts'
import { USDC } from '../../testing/units.ts'
import { Failure } from '../kernel/index.ts'
import { settleBlock } from '../operations/index.ts'
import { createFollower } from './index.ts'

let ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  ends = []
})
async function chain(): Promise<TestChain> {
  const dev = await startTestChain()
  ends.push(dev.stop)
  return dev
}
async function engine(dev: TestChain, options: Parameters<typeof startEngineFixture>[1] = {}): Promise<EngineFixture> {
  const made = await startEngineFixture(dev, options)
  ends.push(made.close)
  return made
}
/** A separate chain, and a client with 1,000 USDC that are in the ledger. */
async function startWithClient(): Promise<{ dev: TestChain; fixture: EngineFixture; client: TestClient }> {
  const dev = await chain()
  const fixture = await engine(dev)
  const client = await fixture.client({ usdc: 1_000n * USDC })
  await fixture.settle()
  return { dev, fixture, client }
}
const signal = new AbortController().signal

async function balancesOf({ db }: EngineFixture, walletId: number, token: string) {
  const row = await db
    .selectFrom('ledger_balances')
    .selectAll()
    .where('wallet_id', '=', walletId)
    .where('token_address', '=', token)
    .executeTakeFirstOrThrow()
  return { available: row.available / USDC, reserved: row.reserved / USDC, deployed: row.deployed / USDC }
}

test('any process resumes following where it stopped, and everything in between is settled', async () => {
  const { dev, fixture: first, client } = await startWithClient()
  const plan = await client.supply(400n * USDC)
  await dev.included(await client.submitAll(plan))
  await dev.mine(20)
  const next = createFollower(first.parts, first.chain, { isDevelopment: true, print: () => {} })
  expect(next.progress()).toEqual({})
  await next.round(signal)
  const { latest } = await first.chain.heads()
  expect(next.progress()).toMatchObject({ blocksBehind: 0, latestBlockAt: latest.time.toISOString() })
  expect((await client.operation(plan)).state).toBe('COMPLETED')
  await expectValidLedger(first)
  await expectLedgerMatchesChain(first)
})

test('blocks whose state no node has any longer are settled from their events, and nothing is lost', async () => {
  const { dev, fixture, client } = await startWithClient()
  const plan = await client.supply(400n * USDC)
  await dev.included(await client.submitAll(plan))
  await dev.included(await client.spend(100n * USDC))
  // Twice as many blocks as the node keeps.
  await dev.mine(260)
  await fixture.followOnce()
  await fixture.followOnce()
  expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 400n * USDC })
  expect(await balancesOf(fixture, client.wallet.walletId, client.usdcAddress)).toMatchObject({
    available: 500n,
    reserved: 0n,
  })
  await expectValidLedger(fixture)
  await expectLedgerMatchesChain(fixture)
})

test('concurrent followers get in each other’s way, but the ledger stays consistent', async () => {
  const { dev, fixture: first, client } = await startWithClient()
  const others = [1, 2, 3].map(() => createFollower(first.parts, first.chain, { isDevelopment: true, print: () => {} }))
  for (const amount of [100n, 200n, 50n]) {
    await dev.included(await client.submitAll(await client.supply(amount * USDC)))
    await client.receive(10n * USDC)
    await dev.mine(2)
    await Promise.allSettled([first.follower, ...others].map((follower) => follower.round(signal)))
    await first.followOnce().catch(() => first.followOnce())
    await expectValidLedger(first)
    await expectLedgerMatchesChain(first)
  }
  expect(await unfinished(first, client.wallet.walletId)).toEqual([])
  expect(await balancesOf(first, client.wallet.walletId, client.usdcAddress)).toMatchObject({
    available: 680n,
    reserved: 0n,
  })
})

test('a follower that settles a block late does not undo the effects of later blocks', async () => {
  const { dev, fixture, client } = await startWithClient()
  await dev.included(await client.spend(300n * USDC))
  const old = (await fixture.chain.heads()).latest.number
  await client.receive(500n * USDC)
  await fixture.settle()
  const before = await balancesOf(fixture, client.wallet.walletId, client.usdcAddress)
  const block = (await fixture.chain.block(old))!
  await expect(settleBlock(fixture.parts, fixture.chain, block, old - 1)).rejects.toMatchObject({ name: 'LeaseLost' })
  await settleBlock(fixture.parts, fixture.chain, block, await fixture.settledBlock())
  expect(await balancesOf(fixture, client.wallet.walletId, client.usdcAddress)).toEqual(before)
  await expectLedgerMatchesChain(fixture)
})

test('settling a block twice changes nothing', async () => {
  const { dev, fixture, client } = await startWithClient()
  const plan = await client.supply(400n * USDC)
  const hash = await dev.included(await client.submitAll(plan))
  const number = Number((await dev.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', hash)).blockNumber)
  const block = (await fixture.chain.block(number))!
  await fixture.followOnce()
  const entries = () => fixture.db.selectFrom('ledger_entries').select('source').execute()
  const before = await entries()
  await settleBlock(fixture.parts, fixture.chain, block, await fixture.settledBlock())
  expect(await entries()).toEqual(before)
  await expectValidLedger(fixture)
})

test('an unavailable chain changes nothing, and following resumes once it is available', async () => {
  const { dev, fixture, client } = await startWithClient()
  const plan = await client.supply(400n * USDC)
  await dev.included(await client.submitAll(plan))
  let away: string | undefined
  const flaky = new Proxy(fixture.chain, {
    get: (chain, name, receiver) =>
      name === away ? () => Promise.reject(new Failure('CHAIN_UNAVAILABLE')) : Reflect.get(chain, name, receiver),
  })
  const follower = createFollower(fixture.parts, flaky, { isDevelopment: true, print: () => {} })
  for (away of ['heads', 'block', 'balances', 'multicall']) {
    await expect(follower.round(signal)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    await expectValidLedger(fixture)
    expect((await client.operation(plan)).state).toBe('CONFIRMING')
  }
  away = undefined
  await follower.round(signal)
  expect((await client.operation(plan)).state).toBe('COMPLETED')
  await expectLedgerMatchesChain(fixture)
})

test('a final block that vanished is reported, and every wallet is reconciled again', async () => {
  const { dev, fixture, client } = await startWithClient()
  const snapshot = await dev.rpc('evm_snapshot')
  expect((await client.complete(await client.supply(400n * USDC))).state).toBe('COMPLETED')
  await dev.rpc('evm_revert', snapshot)
  await dev.mine(9)
  const printed: string[] = []
  const follower = createFollower(fixture.parts, fixture.chain, {
    isDevelopment: true,
    print: (line) => printed.push(line),
  })
  await follower.round(signal)
  await follower.round(signal)
  expect(printed).toEqual([expect.stringMatching(/polygon: block \d+ no longer exists/)])
  expect(await balancesOf(fixture, client.wallet.walletId, client.usdcAddress)).toEqual({
    available: 1_000n,
    reserved: 0n,
    deployed: 0n,
  })
  await expectValidLedger(fixture)
  await expectLedgerMatchesChain(fixture)
})

test('a development chain that lost its history is reported, and its wallets start clean with the new one', async () => {
  const lost = await startTestChain()
  const fixture = await engine(lost)
  const client = await fixture.client({ usdc: 1_000n * USDC })
  await fixture.settle()
  await client.complete(await client.supply(400n * USDC))
  const waiting = await client.supply(100n * USDC)
  await lost.mineAtOnce(false)
  await client.submitAll(waiting)
  await lost.stop()

  const dev = await chain()
  const printed: string[] = []
  const after = await fixture.onChain(dev, (line) => printed.push(line))
  expect(printed).toEqual([
    expect.stringMatching(/the embedded chain is new; the ledger of its 1 wallets starts clean/),
  ])
  await expectValidLedger(after)
  await expectLedgerMatchesChain(after)
  expect(await balancesOf(after, client.wallet.walletId, client.usdcAddress)).toEqual({
    available: 0n,
    reserved: 0n,
    deployed: 0n,
  })
  expect((await client.operation(waiting)).state).toBe('FAILED')

  after.clock.advance(600_000)
  const again = await after.registerAgain(client)
  await dev.fund(again.address, again.usdcAddress, 500n * USDC)
  await after.settle()
  expect((await again.complete(await again.supply(300n * USDC))).state).toBe('COMPLETED')
  await expectValidLedger(after)
  await expectLedgerMatchesChain(after)
})

test('other rooms delete their data of a lost chain while the cursor still names that chain', async () => {
  const { fixture } = await startWithClient()
  const earlier = { genesis_hash: '0xearlier' }
  const { blockchain } = fixture.chain.network
  await fixture.db.updateTable('chain_cursors').set(earlier).where('blockchain', '=', blockchain).execute()
  const cursors: unknown[] = []
  const onReset = async (name: string) => {
    const cursor = fixture.db.selectFrom('chain_cursors').select('genesis_hash').where('blockchain', '=', name)
    cursors.push(await cursor.executeTakeFirst())
  }
  await createFollower(fixture.parts, fixture.chain, { isDevelopment: true, print: () => {}, onReset }).round(signal)
  expect(cursors).toEqual([earlier])
})

test('a final head that lies further ahead than any chain grows moves no cursor', async () => {
  const { fixture } = await startWithClient()
  const cursorOf = () => fixture.db.selectFrom('chain_cursors').selectAll().executeTakeFirstOrThrow()
  const { final_number: settled, final_time: time } = await cursorOf()
  const seconds = Math.max(0, Math.floor((fixture.parts.clock.now().getTime() - time.getTime()) / 1_000))
  const claims = (ahead: number) => {
    const heads = async () => {
      const found = await fixture.chain.heads()
      const number = settled + 1_000 + 10 * seconds + ahead
      return { latest: { ...found.latest, number }, final: { ...found.final, number } }
    }
    return createFollower(fixture.parts, { ...fixture.chain, heads }, { isDevelopment: false, print: () => {} })
  }
  await expect(claims(20).round(signal)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await cursorOf()).toMatchObject({ final_number: settled })
  // One that a chain could have reached is followed; this node does not have its blocks.
  await claims(0).round(signal)
})

test('nor is it where following resumes at a node that has another block than the settled one', async () => {
  const { fixture } = await startWithClient()
  const cursorOf = () => fixture.db.selectFrom('chain_cursors').selectAll().executeTakeFirstOrThrow()
  const before = await cursorOf()
  const far = before.final_number + 1_000_000_000
  const forked: typeof fixture.chain = {
    ...fixture.chain,
    async heads() {
      const found = await fixture.chain.heads()
      return { latest: { ...found.latest, number: far }, final: { ...found.final, number: far } }
    },
    async header(number) {
      const found = await fixture.chain.header(Math.min(number, before.final_number))
      return found && { ...found, number, hash: `0x${number.toString(16).padStart(64, '0')}` }
    },
  }
  const follower = createFollower(fixture.parts, forked, { isDevelopment: false, print: () => {} })
  await expect(follower.round(signal)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await cursorOf()).toEqual(before)
})

test('a different chain behind the endpoint of a public network is refused', async () => {
  const lost = await startTestChain()
  const fixture = await engine(lost)
  await lost.stop()
  const other = await chain()
  await expect(fixture.onChain(other, () => {}, false)).rejects.toThrow('serves a different chain than before')
})

test('a block that was replaced unnoticed is rolled back, and its transactions are sent again', async () => {
  const dev = await chain()
  const first = await engine(dev, { confirmations: 3 })
  const client = await first.client({ usdc: 1_000n * USDC })
  await dev.mine(3)
  await first.settle()
  const plan = await client.supply(400n * USDC)
  await dev.included(await client.submit(plan, await client.sign(plan.transactions[0]!)).then(({ txHash }) => txHash))
  const unanswered: number[] = []
  const block = async (number: number) => {
    const at = unanswered.indexOf(number)
    if (at === -1) return first.chain.block(number)
    unanswered.splice(at, 1)
    return undefined
  }
  const half = { ...first.chain, block }
  const follower = createFollower(first.parts, half, { isDevelopment: true, print: () => {} })
  await follower.round(signal)
  const recorded = anyState((await client.operation(plan)).transactions[0]!).blockNumber!
  expect(recorded).toBe(Number(await dev.rpc('eth_blockNumber')))
  await dev.rpc('anvil_reorg', 1, [])
  await dev.rpc('anvil_dropAllTransactions')
  await dev.mine(2)
  // Whether the recorded head still exists, and what follows it, is only available once its number is settled.
  unanswered.push(recorded, recorded + 1)
  await follower.round(signal)
  expect(unanswered).toEqual([])
  await follower.round(signal)
  await dev.mine(1)
  await follower.round(signal)
  const { blockNumber, status } = anyState((await client.operation(plan)).transactions[0]!)
  expect({ status, isThere: blockNumber === recorded }).toEqual({ status: 'pending', isThere: false })
})
