import { Failure, Money } from '../../kernel/index.ts'
import type { Strategy } from '../../venues/index.ts'

interface PlannedWithdrawal {
  readonly strategy: Strategy
  /** `findWithdrawable` may read the chain. */
  readonly position: { readonly worth: bigint; findWithdrawable(): Promise<bigint> }
  /** Base units; `null`: the whole position. */
  readonly amount: bigint | null
}

/**
 * Adds to a failed simulation how much the strategy can pay out now, where that is less than the amount. The simulation
 * decides, because protocols may report less than they pay. Error: SIMULATION_FAILED with `withdrawable`, as
 * {@link Money}.
 */
export async function explainIlliquidity<T>(preparing: Promise<T>, planned: PlannedWithdrawal): Promise<T> {
  try {
    return await preparing
  } catch (error) {
    const { position, strategy, amount } = planned
    if (!(error instanceof Failure) || error.code !== 'SIMULATION_FAILED') throw error
    const { worth } = position
    const withdrawable = await position.findWithdrawable()
    if (withdrawable >= (amount ?? worth)) throw error
    throw new Failure('SIMULATION_FAILED', {
      message:
        withdrawable === 0n
          ? 'The strategy cannot pay out any of the position at the moment.'
          : 'The strategy can pay out only part of this at the moment.',
      details: { ...error.details, withdrawable: new Money(withdrawable, strategy.tokenDecimals) },
      cause: error,
    })
  }
}
