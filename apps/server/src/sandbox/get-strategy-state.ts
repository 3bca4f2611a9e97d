import type { StrategyState } from '@weir/devnet'
import type { SandboxParts } from './parts.ts'
import { requireStrategyOnChain, toStateFailure } from './strategy-on-chain.ts'

/**
 * Reads the state of a strategy's venue from its embedded chain. Errors: STRATEGY_NOT_FOUND, VALIDATION_ERROR,
 * CONFLICT (`state_not_supported`), CHAIN_UNAVAILABLE.
 */
export async function getStrategyState(
  parts: Pick<SandboxParts, 'db' | 'sandbox'>,
  strategyId: number,
): Promise<StrategyState> {
  const { strategy, chain } = await requireStrategyOnChain(parts, strategyId)
  try {
    return await chain.venueStates.strategyState(strategy.key)
  } catch (error) {
    throw toStateFailure(error)
  }
}
