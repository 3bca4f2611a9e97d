import { StateNotSupported, VenueRefused } from '@weir/devnet/strategy-state'
import { Failure } from '../kernel/index.ts'
import { type Strategy, strategyById } from '../venues/index.ts'
import { requireSandboxChain, type SandboxChain, type SandboxParts } from './parts.ts'

/** Returns a strategy and its embedded chain. Errors: STRATEGY_NOT_FOUND, VALIDATION_ERROR (not embedded). */
export async function requireStrategyOnChain(
  parts: Pick<SandboxParts, 'db' | 'sandbox'>,
  strategyId: number,
): Promise<{ readonly strategy: Strategy; readonly chain: SandboxChain }> {
  const strategy = await strategyById(parts.db, strategyId)
  if (strategy === undefined) throw new Failure('STRATEGY_NOT_FOUND')
  return { strategy, chain: requireSandboxChain(parts, strategy.blockchain) }
}

/** Names why a venue's state could not be read or changed: CONFLICT with a reason, or CHAIN_UNAVAILABLE. */
export function toStateFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  if (error instanceof StateNotSupported) {
    return new Failure('CONFLICT', {
      message: 'The strategy does not have this state.',
      details: { reason: 'state_not_supported' },
      cause: error,
    })
  }
  if (error instanceof VenueRefused) {
    return new Failure('CONFLICT', {
      message: `The venue refused the change: ${error.message.slice(0, 200)}`,
      details: { reason: 'venue_refused' },
      cause: error,
    })
  }
  return new Failure('CHAIN_UNAVAILABLE', { message: 'The embedded chain is not responding.', cause: error })
}
