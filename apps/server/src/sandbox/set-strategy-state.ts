import type { StrategyState, StrategyStateChange } from '@weir/devnet'
import { refreshWithdrawable } from '../allocations/index.ts'
import { refreshRates, refreshRiskFacts } from '../venues/index.ts'
import type { SandboxParts } from './parts.ts'
import { requireStrategyOnChain, toStateFailure } from './strategy-on-chain.ts'

export interface StrategyStateInput {
  readonly strategyId: number
  readonly change: StrategyStateChange
}

/**
 * Puts a strategy's venue into another state on its embedded chain, for every organization that uses it, and returns
 * the state afterwards. The next read shows its rates and what positions could
 * withdraw. Calls run one after another, apart from calls
 * that move the clocks.
 *
 * Errors: STRATEGY_NOT_FOUND; VALIDATION_ERROR (a strategy of another chain); CONFLICT with `details.reason`
 * (`state_not_supported`, `venue_refused`); CHAIN_UNAVAILABLE, with the venue possibly in the new state.
 */
export async function setStrategyState(parts: SandboxParts, input: StrategyStateInput): Promise<StrategyState> {
  const { strategy, chain } = await requireStrategyOnChain(parts, input.strategyId)
  const { dev, faultFree, network, venueStates } = chain
  return parts.runExclusive(async () => {
    try {
      const state = await dev.exclusive(() => venueStates.setStrategyState(strategy.key, input.change))
      await parts.waitUntilRecorded?.(network.blockchain, (await dev.head()).number)
      await refreshRates(parts, faultFree)
      await refreshRiskFacts(parts, faultFree)
      await refreshWithdrawable(parts, faultFree, 0)
      return state
    } catch (error) {
      throw toStateFailure(error)
    }
  })
}
