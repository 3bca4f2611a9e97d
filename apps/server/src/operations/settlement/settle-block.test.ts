// Also tested elsewhere: a wallet that cannot be settled (quarantine.test.ts), and calls to the chain
// (submission/query-and-rpc-costs.test.ts).
import { sql } from 'kysely'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { breakRows } from '../../../testing/break-rows.ts'
import { countStatements, until } from '../../../testing/index.ts'
import { createOperationalWallet } from '../../../testing/operational-wallets.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import { inTransaction } from '../../database/index.ts'
import type { Operation } from '../lifecycle/operation.ts'

const use = useEngine()

/** Wallets of one organization, each with a supply whose two transactions are in the next block to be settled. */
async function supplyTogether(count: number): Promise<{ client: TestClient; plan: Operation }[]> {
  const organizationId = await use.engine.organization()
  const clients = await Promise.all(
    Array.from({ length: count }, () => use.engine.client({ organizationId, usdc: 0n })),
  )
  for (const { address, usdcAddress } of clients)
    await use.dev.rpc('anvil_dealERC20', address, usdcAddress, numberToHex(100n * USDC))
  await use.engine.settle()
  await use.dev.mineAtOnce(false)
  const plans = await Promise.all(clients.map(async (client) => ({ client, plan: await client.supply(10n * USDC) })))
  await Promise.all(plans.map(({ client, plan }) => client.submitAll(plan)))
  await use.dev.mine(1)
  await use.dev.mineAtOnce(true)
  return plans
}

test('settling a block takes as many statements for fifty confirmations as for one', async () => {
  const costs: number[] = []
  for (const count of [1, 10, 50]) {
    const plans = await supplyTogether(count)
    const { statements } = await countStatements(use.engine.followOnce)
    costs.push(statements)
    const states = await Promise.all(plans.map(async ({ client, plan }) => (await client.operation(plan)).state))
    expect(new Set(states)).toEqual(new Set(['COMPLETED']))
  }
  const [one, ten, fifty] = costs as [number, number, number]
  expect([ten, fifty]).toEqual([one, one])
  expect(one).toBeLessThanOrEqual(45)
})

test('a wallet that cannot be settled only costs the others of its block their shared transaction', async () => {
  const plans = await supplyTogether(4)
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
