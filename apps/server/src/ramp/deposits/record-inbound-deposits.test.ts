// Also tested in: handle-waiting-deposits.test.ts (what becomes of deposits).
import { expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { lostLease } from '../../../testing/database/lost-lease.ts'
import { countStatements } from '../../../testing/index.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { BANK } from '../../../testing/ramp/ramp-client.ts'
import { startRampFixture } from '../../../testing/ramp/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { silentLog } from '../../kernel/index.ts'
import { createDisabledProvider } from '../disabled/provider.ts'
import { rampBacklog } from '../transactions/backlog.ts'
import { recordInboundDeposits } from './record-inbound-deposits.ts'

const fixture = useFixture(() => startRampFixture('polygon'))

test('a block that is settled again starts nothing again', async () => {
  const client = await fixture.organization()
  const account = await client.offramp()
  const chain = fixture.parts.chains.get('polygon')!
  const { txHash } = await fixture.send(account.depositAddress!, 1_000_000n)
  await fixture.followOnce()
  const [lookup] = await chain.findTransactions([txHash])
  const block = (await chain.block(lookup!.blockNumber!))!
  await Promise.all([1, 2, 3].map(() => recordInboundDeposits(fixture.parts, chain, block)))
  await fixture.followOnce()
  expect(await client.transactions()).toHaveLength(1)
})

/** Neither what a process without the lease read before, nor what is read again, counts. */
test.each([
  ['in line', () => fixture.parts, 'waits'],
  ['for a partner that watches its addresses', () => partnerWatches(), 'is done'],
] as const)(
  'dust at a deposit address costs a block two statements, however much it is, %s',
  async (_, parts, then) => {
    const client = await fixture.organization()
    const { depositAddress, accountId } = await client.offramp()
    const chain = fixture.parts.chains.get('polygon')!
    const { txHash } = await fixture.send(depositAddress!, 1n)
    await fixture.settle()
    const [lookup] = await chain.findTransactions([txHash])
    const block = (await chain.block(lookup!.blockNumber!))!
    const one = block.transactions.find(({ hash }) => hash === txHash)!
    const costs: number[] = []
    for (const transfers of [1, 1_000]) {
      const hash = (index: number) => `0x${(transfers * 10_000 + index).toString(16).padStart(64, '0')}`
      const transactions = Array.from({ length: transfers }, (_one, index) => ({ ...one, hash: hash(index) }))
      await recordInboundDeposits({ ...parts(), db: lostLease(fixture.parts.db) }, chain, { ...block, transactions })
      const again = () => recordInboundDeposits(parts(), chain, { ...block, transactions })
      costs.push((await countStatements(again)).statements)
      await again()
    }
    expect(costs).toEqual([2, 2])
    const { db } = fixture.parts
    const recorded = await db.selectFrom('ramp_deposits').selectAll().where('account_id', '=', accountId).execute()
    expect(recorded).toHaveLength(1_002)
    const waiting = recorded.filter(({ next_attempt_at: at }) => at !== null)
    expect(waiting).toHaveLength(then === 'waits' ? 1_001 : 0)
    // These tokens exist nowhere: nothing can return them.
    await db.deleteFrom('ramp_deposits').where('account_id', '=', accountId).execute()
  },
)

function partnerWatches() {
  const { handleDeposit: _, ...provider } = fixture.parts.provider
  return { ...fixture.parts, provider: { ...provider, watchesAddresses: true } }
}

test('a deposit that arrives while no partner is configured waits for one, and is paid out', async () => {
  const client = await fixture.organization()
  const { depositAddress } = await client.offramp()
  const { provider } = fixture.parts
  Object.assign(fixture.parts, { provider: createDisabledProvider() })
  await fixture.send(depositAddress!, 3_000_000n)
  await fixture.followOnce()
  expect(await client.transactions()).toEqual([])
  // The gauge behind the alert says nothing of what nobody can handle.
  fixture.clock.advance(3_600_000)
  const backlog = () => rampBacklog(fixture.parts.db, fixture.clock.now())
  expect(await backlog()).toMatchObject({ depositSeconds: 0 })
  Object.assign(fixture.parts, { provider })
  fixture.restart()
  await fixture.settle()
  expect(await client.transactions()).toMatchObject([{ status: 'completed', tokenAmount: 3_000_000n }])
})

test('deposit addresses are unique per account and stable', async () => {
  const client = await fixture.organization()
  const accounts = await Promise.all([1, 2, 3, 4].map(() => client.offramp()))
  expect(new Set(accounts.map(({ depositAddress }) => depositAddress)).size).toBe(4)
  const [first] = accounts
  const wish = {
    accountId: first!.accountId,
    organizationId: client.organizationId,
    kybReference: '',
    customerName: '',
    customerAddress: null,
    blockchain: 'polygon',
    asset: 'USDC',
    walletAddress: client.wallet.address,
    rail: 'ach',
    bank: BANK,
  } as const
  expect((await fixture.parts.provider.openOfframpAccount(wish)).depositAddress).toBe(first!.depositAddress)
})

test('a deposit that cannot be recorded delays neither the others nor its chain, and is recorded once possible', async () => {
  const [bad, good] = [await fixture.organization(), await fixture.organization()]
  const [badAccount, goodAccount] = [await bad.offramp(), await good.offramp()]
  const { clock } = fixture
  const { db } = fixture.parts
  const repair = await breakRows(db, { table: 'ramp_deposits', when: `new.account_id = ${badAccount.accountId}` })
  const { log, lines } = loggedLines()
  Object.assign(fixture.parts, { log })
  await fixture.send(badAccount.depositAddress!, 5_000_000n)
  await fixture.send(goodAccount.depositAddress!, 6_000_000n)
  await fixture.settle()
  expect(await good.transactions()).toMatchObject([{ status: 'completed', tokenAmount: 6_000_000n }])
  expect(await bad.transactions()).toEqual([])
  const deferred = () => db.selectFrom('ramp_deferred_blocks').select(['attempts', 'error']).execute()
  expect(await deferred()).toEqual([{ attempts: 1, error: 'spoiled' }])
  clock.advance(30_000)
  await fixture.settle()
  expect(await deferred()).toEqual([{ attempts: 2, error: 'spoiled' }])
  await repair()
  clock.advance(60_000)
  await fixture.settle()
  expect(await bad.transactions()).toMatchObject([{ status: 'completed', tokenAmount: 5_000_000n }])
  expect(await deferred()).toEqual([])
  expect(lines.filter(({ blockNumber }) => blockNumber !== undefined)).toMatchObject([
    { level: 50, msg: 'failed to record a deposit; its block is retried later' },
    { failures: 2, seconds: expect.any(Number), msg: 'recorded the deposits of a deferred block' },
  ])
  Object.assign(fixture.parts, { log: silentLog })
  await expectValidFiatLedger(fixture.parts)
})
