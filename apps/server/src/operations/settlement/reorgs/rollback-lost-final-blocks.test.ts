// Also tested elsewhere: a follower whose chain lost its last blocks (watch/follow-chain.test.ts), and a killed service
// (system/processes/process.test.ts).
import { expect, test } from 'vitest'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { saveEndedDay } from '../../../allocations/index.ts'
import { leasedDatabase } from '../../../database/queries/leased-database.ts'
import { rollbackLostFinalBlocks } from './rollback-lost-final-blocks.ts'

const use = useEngine()

test('frees the nonces that only lost blocks used, keeps the others, and requests reconciliation of every wallet', async () => {
  const done = await use.client.complete(await use.client.supply(600n * USDC))
  const [approve, supply] = done.transactions
  const { db, parts, chain } = use.engine
  // The chain ends between the approval and the supply.
  const lost = { ...chain, finalNonces: async (senders: readonly string[]) => senders.map(() => supply!.nonce!) }
  await rollbackLostFinalBlocks(parts, lost as typeof chain)
  const nonces = await db
    .selectFrom('transactions')
    .select(['id', 'nonce'])
    .where('operation_id', '=', done.operationId)
    .orderBy('id')
    .execute()
  expect(nonces).toEqual([
    { id: approve!.transactionId, nonce: approve!.nonce },
    { id: supply!.transactionId, nonce: null },
  ])
  expect(await db.selectFrom('chain_nonces').selectAll().execute()).toEqual([])
  const wallets = db.selectFrom('wallets').select('reconciled_block').where('id', '=', use.client.wallet.walletId)
  expect((await wallets.executeTakeFirstOrThrow()).reconciled_block).toBeNull()
})

test('ends the quarantine of the chain’s wallets, whose deferred blocks are obsolete', async () => {
  const { db, parts, chain } = use.engine
  const { organizationId, walletId } = use.client.wallet
  const at = use.engine.clock.now()
  const row = { organization_id: organizationId, wallet_id: walletId, blockchain: 'polygon', since: at, attempts: 1 }
  await db
    .insertInto('quarantined_wallets')
    .values({ ...row, next_attempt_at: at, error: 'of the test' })
    .execute()
  await rollbackLostFinalBlocks(parts, chain)
  expect(await db.selectFrom('quarantined_wallets').selectAll().execute()).toEqual([])
  await use.engine.settle()
  expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
})

test('forgets the days that ended in lost blocks, so that they end again', async () => {
  const { db, parts, chain } = use.engine
  const { latest } = await chain.heads()
  const last = { blockNumber: latest.number, chainTime: latest.time, prices: [] }
  const hashes = async () =>
    (await db.selectFrom('ended_days').select('block_hash').execute()).map((row) => row.block_hash)
  await saveEndedDay(db, 'polygon', { ...last, blockHash: '0xlost' })
  await rollbackLostFinalBlocks(parts, chain)
  expect(await hashes()).toEqual([])
  await saveEndedDay(db, 'polygon', { ...last, blockHash: latest.hash })
  expect(await hashes()).toEqual([latest.hash])
})

test('a process that was replaced while it read the nonce counts frees none', async () => {
  const done = await use.client.complete(await use.client.supply(600n * USDC))
  const { db, parts, chain } = use.engine
  const held = { job: 'follow polygon', workerId: 1, token: 1 }
  await db.insertInto('job_leases').values({ job: held.job, worker_id: 1, token: 1, since: new Date() }).execute()
  const replaced = {
    ...chain,
    finalNonces: async (senders: readonly string[]) => {
      await db.updateTable('job_leases').set({ worker_id: 2, token: 2 }).where('job', '=', held.job).execute()
      return senders.map(() => 0)
    },
  }
  const leased = { ...parts, db: leasedDatabase(db, held) }
  await expect(rollbackLostFinalBlocks(leased, replaced as typeof chain)).rejects.toMatchObject({ name: 'LeaseLost' })
  const nonces = await db
    .selectFrom('transactions')
    .select('nonce')
    .where('operation_id', '=', done.operationId)
    .orderBy('id')
    .execute()
  expect(nonces).toEqual(done.transactions.map(({ nonce }) => ({ nonce })))
  expect(await db.selectFrom('chain_nonces').selectAll().execute()).not.toEqual([])
})
