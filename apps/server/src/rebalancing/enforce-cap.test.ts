import { expect, test } from 'vitest'
import { createOperationalWallet } from '../../testing/operational-wallets.ts'
import { USDC } from '../../testing/units.ts'
import { useEngine } from '../../testing/use-engine.ts'
import { readConfig } from '../config.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import { setCap } from './strategy-caps.ts'

const use = useEngine()

test('wallets evaluated together do not exceed the organization’s cap on a strategy', async () => {
  const { engine } = use
  const parts = { ...engine.parts, rebalancing: readConfig({}).rebalancing }
  const { organizationId } = use.client.wallet
  const clients = [use.client, await engine.client({ organizationId, usdc: 1_000n * USDC })]
  clients.push(await engine.client({ organizationId, usdc: 1_000n * USDC }))
  await engine.settle()
  const capped = engine.strategy('erc4626:polygon:USDC:capped')
  await setCap(engine.parts, { organizationId, strategyId: capped.id, shareBps: 4_000 })
  for (const client of clients) await createOperationalWallet(engine, client)
  for (let rounds = 0; rounds < 6; rounds += 1) {
    engine.clock.advance(31_000)
    while ((await evaluateDueWallets(parts)) > 0);
  }
  const planned = await engine.db
    .selectFrom('operations')
    .select(['strategy_id', 'amount'])
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'EXECUTING')
    .execute()
  expect(planned).toHaveLength(3)
  const inside = planned.filter(({ strategy_id }) => strategy_id === capped.id)
  const whole = (
    await engine.db.selectFrom('ledger_balances').selectAll().where('organization_id', '=', organizationId).execute()
  )
    .filter(({ token_address }) => token_address === use.client.usdcAddress)
    .reduce((sum, { available, reserved, deployed }) => sum + available + reserved + deployed, 0n)
  expect(inside.reduce((sum, { amount }) => sum + amount!, 0n)).toBeLessThanOrEqual((whole * 4n) / 10n)
})
