import { type Call, type Chain, NATIVE_DECIMALS, type SenderState } from '../../chains/index.ts'
import { Failure, Money } from '../../kernel/index.ts'
import type { PlanStep } from '../../venues/index.ts'

export interface PreparedSteps {
  readonly steps: readonly PlanStep[]
  readonly facts: SenderState
  /** One limit a step. */
  readonly gas: readonly bigint[]
}

/** Gas limits that the fee check assumes where a simulation gave none, because it failed. */
const ASSUMED_GAS: Record<PlanStep['kind'], bigint> = {
  approve_reset: 80_000n,
  approve: 80_000n,
  supply: 450_000n,
  unwind: 450_000n,
}

/**
 * Simulates a plan's transactions one after the other on the latest state, and checks that the wallet can pay for them.
 * The fee, with what accounts that are opened keep, comes before the simulation's verdict (contract 4).
 *
 * Errors: INSUFFICIENT_GAS with `required` and `available` in the native coin, as {@link Money}; SIMULATION_FAILED,
 * CHAIN_UNAVAILABLE. One HTTP call.
 */
export async function prepareSteps(
  chain: Chain,
  owner: string,
  steps: readonly PlanStep[],
  facts: SenderState,
): Promise<PreparedSteps> {
  const calls: Call[] = steps.map((step) => step.call)
  const simulation = await chain.simulate(owner, calls)
  const gas = simulation.ok ? simulation.gas : steps.map((step) => ASSUMED_GAS[step.kind])
  const fee = chain.networkFee(gas, facts) + (simulation.rentDeposits ?? 0n)
  // On Solana a wallet keeps a least balance of its own: with hardly more than the fee, nodes say that lamports are missing.
  const lacksNative = !simulation.ok && simulation.code === 'INSUFFICIENT_FUNDS'
  if (facts.native < fee || lacksNative) {
    const coins = (native: bigint) => new Money(native, NATIVE_DECIMALS[chain.network.family])
    throw new Failure('INSUFFICIENT_GAS', {
      details: { token: chain.network.nativeSymbol, required: coins(fee), available: coins(facts.native) },
    })
  }
  if (!simulation.ok) {
    throw new Failure('SIMULATION_FAILED', {
      details: {
        transaction: steps[simulation.index]?.description ?? null,
        reason: simulation.reason ?? null,
        failureCode: simulation.code,
      },
    })
  }
  return { steps, facts, gas }
}
