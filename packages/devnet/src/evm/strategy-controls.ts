import type { StrategyControls } from '../strategy-state.ts'
import { type AaveReserve, aaveReserveControls } from './aave-reserve-controls.ts'
import { cometControls } from './comet-controls.ts'
import { creditVaultControls } from './credit-controls.ts'
import type { EvmStrategy } from './deployment.ts'
import { exitVaultControls } from './exit-vault-controls.ts'
import { feedControls, upgradeableVaultControls } from './feed-controls.ts'
import { fluidControls } from './fluid-controls.ts'
import { createGovernor } from './governor.ts'
import { lendingVaultControls } from './lending-vault-controls.ts'
import type { DeploymentPlan } from './plan-deployment.ts'
import type { Rpc } from './rpc.ts'
import { savingsVaultControls } from './savings-controls.ts'

/** The controls of each strategy of a chain whose state can change; vaults with a fixed rate have none. */
export function strategyControls(rpc: Rpc, plan: DeploymentPlan): ReadonlyMap<string, StrategyControls> {
  const governor = createGovernor(rpc, plan.accounts.governor.address)
  const reserves = new Map<string, AaveReserve>()
  for (const { protocol, tokenAddress, params } of plan.strategies) {
    if (protocol !== 'aave-v3') continue
    const { weth, configurator } = plan
    reserves.set(tokenAddress, { ...params, weth, configurator, token: tokenAddress })
  }
  const controls = (strategy: EvmStrategy): StrategyControls | undefined => {
    const { tokenAddress: token } = strategy
    const reserve = reserves.get(token)
    if (reserve === undefined) return undefined
    if (strategy.protocol === 'aave-v3') return aaveReserveControls(governor, reserve)
    if (strategy.protocol === 'compound-v3')
      return cometControls(governor, { comet: strategy.params.comet, token, weth: plan.weth })
    if (strategy.protocol !== 'erc4626')
      return exitVaultControls(governor, rpc, { protocol: strategy.protocol, vault: strategy.params.vault, token })
    const { vault, lendsTo, implementations, rate, cash, layer } = strategy.params
    if (layer) return fluidControls(governor, { vault, layer, token })
    if (cash) return creditVaultControls(governor, vault, token)
    if (rate) return savingsVaultControls(governor, vault)
    if (implementations) return upgradeableVaultControls(governor, { vault, implementations })
    if (lendsTo === null) return undefined
    const { weth } = plan
    return lendingVaultControls(governor, {
      vault,
      token,
      lendsTo: lendsTo.kind === 'aave-v3' ? { kind: 'aave-v3', reserve } : { ...lendsTo, weth },
    })
  }
  return new Map(
    plan.strategies.flatMap((strategy) => {
      const found = controls(strategy)
      const feed = plan.tokens.find(({ address }) => address === strategy.tokenAddress)?.usdFeed
      if (found === undefined || feed === undefined) return []
      return [[strategy.key, feedControls(governor, feed, found)] as const]
    }),
  )
}
