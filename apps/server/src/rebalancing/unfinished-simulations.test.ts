import { expect, test } from 'vitest'
import { useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { CallUnfinishedError, evmCall } from '../chains/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import type { RebalanceParts } from './parts.ts'

const AAVE = 'aave-v3:polygon:USDC'
const UPGRADEABLE = 'erc4626:polygon:USDC:upgradeable'
const rebalancer = useRebalancer()

/** The rebalancer's parts, with a chain on which no node can finish to simulate a call of this vault. */
function partsWithSlow(key: string): RebalanceParts {
  const { engine, parts } = rebalancer
  const { vault } = engine.strategy(key).params
  const simulate: typeof engine.chain.simulate = async (from, calls) => {
    if (calls.some((call) => evmCall(call).to.toLowerCase() === vault!.toLowerCase()))
      throw new CallUnfinishedError('eth_estimateGas', 'execution aborted (timeout = 5s)')
    return engine.chain.simulate(from, calls)
  }
  return { ...parts, chains: new Map([['polygon', { ...engine.chain, simulate }]]) }
}

test('a withdrawal that no node can simulate to its end leaves its strategy out, and the next one pays at once', async () => {
  const { engine, deployed, change, operationsOf } = rebalancer
  const use = await deployed({ [UPGRADEABLE]: 400n * USDC, [AAVE]: 400n * USDC })
  await engine.db.updateTable('strategies').set({ apy: 0.01 }).where('key', '=', UPGRADEABLE).execute()
  await engine.db.updateTable('strategies').set({ apy: 0.02 }).where('key', '=', AAVE).execute()
  await change(use, { buffer: 300n * USDC })
  engine.clock.advance(1)
  await evaluateDueWallets(partsWithSlow(UPGRADEABLE))
  expect(await operationsOf(use)).toMatchObject([
    { type: 'UNWIND', strategy_id: engine.strategy(AAVE).id, planned_value: 100n * USDC },
  ])
  const refused = engine.db.selectFrom('refused_moves').selectAll().where('op_wallet_id', '=', use.wallet.opWalletId)
  expect(await refused.execute()).toMatchObject([{ strategy_id: engine.strategy(UPGRADEABLE).id, failures: 1 }])
})
