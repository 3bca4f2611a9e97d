// Also tested elsewhere: how a wallet gets into quarantine (quarantine.test.ts), and contracts that fail
// (watch/misbehaving-contracts.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { breakPostings } from '../../../../testing/ledger/break-postings.ts'
import { loggedLines } from '../../../../testing/logged-lines.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { Failure, QUARANTINE_RETRY_BLOCKS } from '../../../kernel/index.ts'
import { retryQuarantinedWallets } from './retry-quarantined.ts'

const use = useEngine()
let repair: () => Promise<void>

/** A wallet in quarantine with two deferred blocks: 50 USDC arrived in one, and 20 left in the other. */
beforeEach(async () => {
  repair = await breakPostings(use.engine.db, use.client.wallet.walletId)
  await use.client.receive(50n * USDC)
  await use.engine.settle()
  await use.dev.included(await use.client.spend(20n * USDC))
  await use.engine.followOnce()
  return async () => {
    await repair()
    use.engine.clock.advance(3_600_000)
  }
})

const retry = () => retryQuarantinedWallets(use.engine.parts, use.engine.chain)
const quarantined = () => use.engine.db.selectFrom('quarantined_wallets').select(['attempts']).execute()
const deferredBlocks = async () =>
  (await use.engine.db.selectFrom('quarantined_blocks').select('block_number').orderBy('block_number').execute()).map(
    ({ block_number }) => block_number,
  )
const postedBlocks = async () =>
  (
    await use.engine.db
      .selectFrom('ledger_entries as e')
      .innerJoin('ledger_postings as p', (join) =>
        join.onRef('p.organization_id', '=', 'e.organization_id').onRef('p.entry_id', '=', 'e.id'),
      )
      .select('e.block_number')
      .distinctOn('e.id')
      .where('p.wallet_id', '=', use.client.wallet.walletId)
      .orderBy('e.id')
      .execute()
  ).map(({ block_number }) => block_number)

test('a wallet is retried when it is due, and each failure doubles the delay', async () => {
  await retry()
  expect(await quarantined()).toEqual([{ attempts: 1 }])
  use.engine.clock.advance(30_000)
  await retry()
  expect(await quarantined()).toEqual([{ attempts: 2 }])
  await repair()
  repair = async () => {}
  use.engine.clock.advance(59_999)
  await retry()
  expect(await quarantined()).toEqual([{ attempts: 2 }])
  use.engine.clock.advance(1)
  await retry()
  expect(await quarantined()).toEqual([])
})

test('each missed block is posted in its turn, and the wallet is compared with the chain again', async () => {
  const missed = await deferredBlocks()
  expect(missed.length).toBeGreaterThanOrEqual(2)
  await repair()
  repair = async () => {}
  use.engine.clock.advance(30_000)
  await retry()
  const posted = await postedBlocks()
  expect(posted.slice(-2)).toEqual(missed.slice(-2))
  expect((await use.balances()).available).toBe(1_030n)
  expect(await deferredBlocks()).toEqual([])
  const { reconciled_block } = await use.engine.db
    .selectFrom('wallets')
    .select('reconciled_block')
    .where('id', '=', use.client.wallet.walletId)
    .executeTakeFirstOrThrow()
  expect(reconciled_block).toBeNull()
})

test('a retry that fails keeps the blocks that are still to be settled', async () => {
  const missed = await deferredBlocks()
  use.engine.clock.advance(30_000)
  await retry()
  expect(await deferredBlocks()).toEqual(missed)
  expect((await use.balances()).available).toBe(1_000n)
})

test('a retry settles a bounded number of blocks, then the others that are due have their turn', async () => {
  const { organizationId, walletId } = use.client.wallet
  const { final } = await use.engine.chain.heads()
  await use.dev.mine(QUARANTINE_RETRY_BLOCKS)
  await use.engine.followOnce()
  const missed = Array.from({ length: QUARANTINE_RETRY_BLOCKS }, (_, index) => ({
    organization_id: organizationId,
    wallet_id: walletId,
    block_number: final.number + index + 1,
  }))
  await use.engine.db
    .insertInto('quarantined_blocks')
    .values(missed)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await repair()
  repair = async () => {}
  use.engine.clock.advance(30_000)
  const before = await deferredBlocks()
  await retry()
  expect(await deferredBlocks()).toEqual(before.slice(QUARANTINE_RETRY_BLOCKS))
  expect(await quarantined()).toHaveLength(1)
  await retry()
  expect([await deferredBlocks(), await quarantined()]).toEqual([[], []])
})

test.each([
  ['cannot be read', () => Promise.reject(new Failure('CHAIN_UNAVAILABLE'))],
  ['misses a block that its node lacks', async () => undefined],
])('a wallet that %s is retried after the others, and has not failed', async (_name, block) => {
  await repair()
  repair = async () => {}
  use.engine.clock.advance(30_000)
  const chain = { ...use.engine.chain, block }
  await expect(retryQuarantinedWallets(use.engine.parts, chain)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await quarantined()).toEqual([{ attempts: 1 }])
  await retry()
  expect(await quarantined()).toEqual([{ attempts: 1 }])
  use.engine.clock.advance(30_000)
  await retry()
  expect(await quarantined()).toEqual([])
})

test('a retry for the same cause is not logged, and the last line says how long the quarantine took', async () => {
  const { log, lines } = loggedLines()
  const { organizationId, walletId } = use.client.wallet
  const retry = () => retryQuarantinedWallets({ ...use.engine.parts, log }, use.engine.chain)
  for (let retries = 0; retries < 3; retries += 1) {
    use.engine.clock.advance(3_600_000)
    await retry()
  }
  expect(lines).toEqual([])
  await repair()
  repair = async () => {}
  use.engine.clock.advance(3_600_000)
  await retry()
  expect(lines).toMatchObject([
    { organizationId, walletId, failures: 4, seconds: 4 * 3_600, msg: 'a wallet is settled and leaves quarantine' },
  ])
})
