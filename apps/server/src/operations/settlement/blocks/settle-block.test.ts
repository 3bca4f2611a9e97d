// Also tested elsewhere: a wallet that cannot be settled (quarantine.test.ts), and calls to the chain
// (submission/query-and-rpc-costs.test.ts).
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { breakRows } from '../../../../testing/database/break-rows.ts'
import { countStatements, until } from '../../../../testing/index.ts'
import { pendingSupply, supplyOf } from '../../../../testing/operations/pending-supply.ts'
import { type PlannedTogether, statesOf, supplyTogether } from '../../../../testing/operations/supply-together.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../../testing/units.ts'
import { inTransaction } from '../../../database/index.ts'

const use = useEngine()

/** Statements of the round that settles the latest block, for blocks of each size. */
async function costsOf(sizes: readonly number[], fill: (size: number) => Promise<unknown>): Promise<number[]> {
  const costs: number[] = []
  for (const size of sizes) {
    await fill(size)
    costs.push((await countStatements(use.engine.followOnce)).statements)
  }
  return costs
}

test('settling a block takes as many statements for fifty confirmations as for one', async () => {
  const plans: PlannedTogether[] = []
  const costs = await costsOf([1, 10, 50], async (wallets) => plans.push(...(await supplyTogether(use, { wallets }))))
  expect(await statesOf(plans)).toEqual(['COMPLETED'])
  const [one] = costs as [number]
  expect(costs).toEqual([one, one, one])
  expect(one).toBeLessThanOrEqual(45)
})

test('settling a block takes as many statements for the wallets of thirty organizations as for those of one', async () => {
  const plans: PlannedTogether[] = []
  const costs = await costsOf([1, 30], async (organizations) =>
    plans.push(...(await supplyTogether(use, { wallets: 30, organizations }))),
  )
  expect(await statesOf(plans)).toEqual(['COMPLETED'])
  expect(costs[1]).toBe(costs[0])
})

test('settling a block takes as many statements for thirty reverted transactions as for one', async () => {
  const plans: PlannedTogether[] = []
  // Each wallet is empty when the block is mined.
  const empty = async (sent: readonly PlannedTogether[]) => {
    for (const { client } of sent) await use.dev.rpc('anvil_dealERC20', client.address, client.usdcAddress, '0x0')
  }
  const costs = await costsOf([1, 30], async (wallets) =>
    plans.push(...(await supplyTogether(use, { wallets, beforeMining: empty }))),
  )
  expect(await statesOf(plans)).toEqual(['FAILED'])
  expect(costs[1]).toBe(costs[0])
})

test('settling a block takes as many statements for thirty withdrawals of everything as for one', async () => {
  const plans: PlannedTogether[] = []
  const costs = await costsOf([1, 30], async (wallets) => {
    const supplied = await supplyTogether(use, { wallets })
    await use.engine.followOnce()
    await use.dev.mineAtOnce(false)
    for (const { client } of supplied) {
      const plan = await client.unwind('full')
      await client.submitAll(plan)
      plans.push({ client, plan })
    }
    await use.dev.mine(1)
    await use.dev.mineAtOnce(true)
  })
  expect(await statesOf(plans)).toEqual(['COMPLETED'])
  expect(costs[1]).toBe(costs[0])
})

test('settling a block takes as many statements for ten shortfalls as for one', async () => {
  const costs = await costsOf([1, 10], async (wallets) => {
    const clients: TestClient[] = []
    while (clients.length < wallets) clients.push(await use.engine.client({ usdc: 100n * USDC }))
    await use.engine.settle()
    for (const client of clients) {
      const wallet = await createOperationalWallet(use.engine, client)
      await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 60n * USDC })
    }
    await use.dev.mineAtOnce(false)
    for (const client of clients) await client.spend(50n * USDC)
    await use.dev.mine(1)
    await use.dev.mineAtOnce(true)
  })
  expect(costs[1]).toBe(costs[0])
})

test('a node that fails each request with a trace in it fails no settlement', async () => {
  const plan = await pendingSupply(use)
  await use.dev.rpc('anvil_dealERC20', use.client.address, use.client.usdcAddress, '0x0')
  await use.dev.mineAtOnce(true)
  const { fetch } = globalThis
  onTestFinished(() => {
    globalThis.fetch = fetch
  })
  let refused = 0
  globalThis.fetch = async (input, init) => {
    if (!String(init?.body).includes('debug_traceTransaction')) return fetch(input, init)
    refused += 1
    return new Response('slow down', { status: 429 })
  }
  await use.engine.settle()
  expect(refused).toBe(1)
  const ended = await use.client.operation(plan)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(supplyOf(ended).revertReason).toMatch(/balance/i)
})

test('a wallet that cannot be settled only costs the others of its block their shared transaction', async () => {
  const plans = await supplyTogether(use, { wallets: 4 })
  const bad = plans[2]!
  const when = `new.wallet_id = ${bad.client.wallet.walletId}`
  const repair = await breakRows(use.engine.db, { table: 'ledger_postings', when })
  await use.engine.followOnce()
  const states = async () => Promise.all(plans.map(async ({ client, plan }) => (await client.operation(plan)).state))
  expect(await states()).toEqual(['COMPLETED', 'COMPLETED', 'CONFIRMING', 'COMPLETED'])
  const quarantined = await use.engine.db.selectFrom('quarantined_wallets').select('wallet_id').execute()
  expect(quarantined).toEqual([{ wallet_id: bad.client.wallet.walletId }])
  await repair()
  use.engine.clock.advance(60_000)
  await use.engine.settle()
  expect(await states()).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED'])
})

test('a settlement locks operational wallets in the order of their ids, like every schedule of several', async () => {
  const { engine, dev } = use
  const organizationId = await engine.organization()
  const [spender, supplier] = [await engine.client({ organizationId }), await engine.client({ organizationId })]
  await engine.settle()
  const first = await createOperationalWallet(engine, supplier)
  const second = await createOperationalWallet(engine, spender)
  const opWallets = engine.db.updateTable('operational_wallets').where('organization_id', '=', organizationId)
  await opWallets.set({ due_at: new Date(engine.clock.now().getTime() + 3_600_000) }).execute()
  // In one block an operation of the first one ends, and money leaves the second one, which takes fewer steps.
  const plan = await supplier.supply(10n * USDC)
  await dev.mineAtOnce(false)
  await supplier.submitAll(plan)
  await spender.spend(5n * USDC)
  await dev.mine(1)
  await dev.mineAtOnce(true)

  let following: Promise<unknown> | undefined
  await inTransaction(engine.db, async (tx) => {
    const lock = (id: number) =>
      tx.selectFrom('operational_wallets').select('id').where('id', '=', id).forUpdate().noWait().execute()
    await lock(first.opWalletId)
    following = engine.followOnce()
    await until(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `.execute(engine.db)
      return rows.length > 0
    })
    await lock(second.opWalletId)
  })
  await following
  expect((await supplier.operation(plan)).state).toBe('COMPLETED')
})
