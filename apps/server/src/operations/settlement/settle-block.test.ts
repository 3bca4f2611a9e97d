// Also tested elsewhere: a wallet that cannot be settled (quarantine.test.ts), and calls to the chain
// (submission/query-and-rpc-costs.test.ts).
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { breakRows } from '../../../testing/break-rows.ts'
import { countStatements } from '../../../testing/index.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
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

test('a wallet that cannot be settled costs the others of its block nothing but the shared transaction', async () => {
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
