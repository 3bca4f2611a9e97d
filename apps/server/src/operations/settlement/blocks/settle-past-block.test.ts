// Also tested elsewhere: reported hashes of past blocks (submission/link-reported-hash.test.ts), blocks that a node
// reports late (there too), and random sequences in simulate/.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { breakPostings } from '../../../../testing/ledger/break-postings.ts'
import { supplyOf } from '../../../../testing/operations/pending-supply.ts'
import { useReportedHashes } from '../../../../testing/operations/use-reported-hashes.ts'
import { USDC } from '../../../../testing/units.ts'
import { QUARANTINE_RETRY_BLOCKS } from '../../../kernel/index.ts'
import { requestReconciliation } from '../../../wallets/index.ts'
import { retryQuarantinedWallets } from './retry-quarantined.ts'

const { use, recover, cancel, approvedPlan, settleUnmatched } = useReportedHashes()
const DAY_SECONDS = 86_400

/** What the ledger and the positions say of the wallet's USDC. */
async function books() {
  const { db } = use.engine
  const { walletId } = use.client.wallet
  const balance = await db
    .selectFrom('ledger_balances')
    .select(['deployed', 'yield', 'external'])
    .where('wallet_id', '=', walletId)
    .where('token_address', '=', use.client.usdcAddress)
    .executeTakeFirstOrThrow()
  const positions = await db
    .selectFrom('allocations')
    .select(['status', 'shares', 'principal', 'posted_value', 'realized_yield'])
    .where('wallet_id', '=', walletId)
    .orderBy('id')
    .execute()
  return { ...balance, positions }
}

/** Days pass on chain, and then something happens to the wallet, so that it is read at that time. */
async function pass(days: number): Promise<void> {
  await use.dev.increaseTime(days * DAY_SECONDS)
  await use.dev.fund(use.client.address, use.client.usdcAddress, 1n)
}

test('a supply that was posted as external before it was found earns once: no share is counted twice', async () => {
  const plan = await approvedPlan(600n * USDC)
  const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
  await pass(10)
  await settleUnmatched(plan)
  await pass(30)
  await use.engine.settle()
  await recover(plan, hash)
  await use.engine.settle()
  const { deployed, positions, ...found } = await books()
  expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
  expect(-found.yield, 'all that the position is worth beyond what was supplied').toBe(deployed - 600n * USDC)
  expect(-found.yield).toBeGreaterThan(USDC)
  expect(positions).toMatchObject([{ principal: 600n * USDC, posted_value: deployed, realized_yield: 0n }])
})

test.each([
  ['part', 200n * USDC],
  ['all', 'full' as const],
])('a withdrawal of %s that was posted as external before it was found realizes what it paid', async (_, amount) => {
  await use.client.complete(await use.client.supply(600n * USDC))
  await pass(20)
  await use.engine.settle()
  const plan = await use.client.unwind(amount)
  const hash = await use.dev.included(await use.client.send(plan.transactions[0]!))
  await pass(5)
  await settleUnmatched(plan)
  await pass(30)
  await use.engine.settle()
  await recover(plan, hash)
  await use.engine.settle()
  const { deployed, positions, ...found } = await books()
  const { settledAmount } = (await use.client.operation(plan)) as { settledAmount: bigint }
  expect(-found.yield).toBe(deployed + settledAmount - 600n * USDC)
  const sums = positions.reduce((sum, position) => sum + position.realized_yield + position.posted_value, 0n)
  const principal = positions.reduce((sum, position) => sum + position.principal, 0n)
  expect(sums - principal, 'what was earned, as the positions say').toBe(-found.yield)
})

/** A supply in a block that was settled without it, of a wallet that was reconciled at a later block. */
async function missedSupply() {
  const plan = await approvedPlan(600n * USDC)
  const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
  await settleUnmatched(plan)
  await use.client.receive(50n * USDC)
  await use.engine.settle()
  return { plan, hash }
}

const reconciledBlock = async () => {
  const { db } = use.engine
  const wallet = db.selectFrom('wallets').select('reconciled_block').where('id', '=', use.client.wallet.walletId)
  return (await wallet.executeTakeFirstOrThrow()).reconciled_block
}

test('it settles although a follower reconciles the wallet at a later block as soon as that is requested', async () => {
  const { plan, hash } = await missedSupply()
  await sql`
    create function reconcile_at_once() returns trigger language plpgsql as
      'begin new.reconciled_block := coalesce(new.reconciled_block, old.reconciled_block); return new; end';
    create trigger reconciled before update on wallets for each row execute function reconcile_at_once()
  `.execute(use.engine.db)
  try {
    await recover(plan, hash)
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  } finally {
    await sql`drop trigger reconciled on wallets; drop function reconcile_at_once()`.execute(use.engine.db)
    await requestReconciliation(use.engine.db, use.client.wallet)
  }
})

test('the wallet is reconciled afterwards', async () => {
  const { plan, hash } = await missedSupply()
  expect(await reconciledBlock()).not.toBeNull()
  await recover(plan, hash)
  expect(await reconciledBlock()).toBeNull()
  await use.engine.settle()
  expect(await reconciledBlock()).not.toBeNull()
})

/** What the wallet's positions say, and the shares and tokens that were posted as moved outside Weir. */
async function movedOutside() {
  const { db } = use.engine
  const { walletId } = use.client.wallet
  const external = (kind: string) =>
    db
      .selectFrom('ledger_entries as e')
      .innerJoin('ledger_postings as p', (join) =>
        join.onRef('p.organization_id', '=', 'e.organization_id').onRef('p.entry_id', '=', 'e.id'),
      )
      .select(['e.id', 'p.amount'])
      .where('p.wallet_id', '=', walletId)
      .where('p.account', '=', 'external')
      .where('e.kind', '=', kind)
      .orderBy('e.id')
  const allocations = db.selectFrom('allocations').select(['id', 'strategy_id', 'status', 'principal', 'closed_at'])
  return {
    shares: await external('external_position').execute(),
    tokens: (await external('external_balance').execute()).length,
    positions: await allocations.where('wallet_id', '=', walletId).orderBy('id').execute(),
    breaks: await db.selectFrom('ledger_breaks').select('id').where('wallet_id', '=', walletId).execute(),
  }
}

test.each(['before', 'with'])(
  'it is settled after a quarantine that began %s it, and nothing else is',
  async (begins) => {
    const { plan, hash } = await missedSupply()
    // The check of pending transactions would settle it again.
    await cancel(plan)
    await settleUnmatched(plan, async () => {
      await use.client.complete(await use.client.supply(300n * USDC, 'erc4626:polygon:USDC'))
    })
    const repair = await breakPostings(use.engine.db, use.client.wallet.walletId)
    if (begins === 'before') {
      await use.client.receive(50n * USDC)
      await use.engine.settle()
    }
    const before = await movedOutside()
    await recover(plan, hash)
    expect((await use.client.operation(plan)).state).not.toBe('COMPLETED')
    await repair()
    use.engine.clock.advance(60_000)
    await use.engine.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
    // The next round reconciles the wallet.
    await use.engine.settle()
    const received = begins === 'before' ? 1 : 0
    expect(await movedOutside()).toEqual({ ...before, tokens: before.tokens + received })
  },
)

test.each([
  ['its last blocks', 0],
  ['more blocks than it settles at once', QUARANTINE_RETRY_BLOCKS],
])('it is settled although it is deferred while a retry settles %s', async (_, more) => {
  const { organizationId, walletId } = use.client.wallet
  const { db, parts, chain, clock } = use.engine
  const { plan, hash } = await missedSupply()
  await cancel(plan)
  const repair = await breakPostings(db, walletId)
  await use.client.receive(50n * USDC)
  await use.engine.settle()
  const { final } = await chain.heads()
  if (more > 0) await use.dev.mine(more)
  await use.engine.followOnce()
  const others = Array.from({ length: more }, (_, index) => ({
    organization_id: organizationId,
    wallet_id: walletId,
    block_number: final.number + index + 1,
  }))
  if (more > 0) await db.insertInto('quarantined_blocks').values(others).execute()
  await repair()
  clock.advance(60_000)
  let isDeferred = false
  const deferring = {
    ...chain,
    block: async (number: number) => {
      if (!isDeferred) await recover(plan, hash)
      isDeferred = true
      return chain.block(number)
    },
  }
  await retryQuarantinedWallets(parts, deferring)
  expect((await use.client.operation(plan)).state).not.toBe('COMPLETED')
  await retryQuarantinedWallets(parts, chain)
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  const quarantined = db.selectFrom('quarantined_wallets').select('wallet_id').where('wallet_id', '=', walletId)
  expect(await quarantined.execute()).toEqual([])
})
