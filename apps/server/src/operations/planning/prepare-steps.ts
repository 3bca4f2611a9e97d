import type { Call, Chain, SenderState } from '../../chains/index.ts'
import { Failure, Money } from '../../kernel/index.ts'
import type { PlanStep } from '../../venues/index.ts'

export interface PreparedSteps {
  readonly steps: readonly PlanStep[]
  readonly senderState: SenderState
  /** One gas limit per step. */
  readonly gas: readonly bigint[]
}

/** Gas limits that the fee check assumes when the simulation failed and returned none. */
const ASSUMED_GAS: Record<PlanStep['kind'], bigint> = {
  approve_reset: 80_000n,
  approve: 80_000n,
  revoke: 80_000n,
  supply: 450_000n,
  unwind: 450_000n,
  exit_request: 450_000n,
  exit_claim: 450_000n,
}

/**
 * Simulates a plan's transactions in order on the latest state, and checks that the wallet can pay for them. The fee
 * check, which includes the rent deposits of new accounts, precedes the simulation's result (contract 4). A move that
 * succeeds and pays less than it must, or takes more shares than it may, is refused like one that fails.
 *
 * Errors: INSUFFICIENT_GAS with `required` and `available` in the native coin, as {@link Money}; SIMULATION_FAILED,
 * CHAIN_UNAVAILABLE. One HTTP call.
 */
export async function prepareSteps(
  chain: Chain,
  owner: string,
  steps: readonly PlanStep[],
  senderState: SenderState,
): Promise<PreparedSteps> {
  const calls: Call[] = steps.map((step) => step.call)
  const simulation = await chain.simulate(owner, calls)
  const gas = simulation.ok ? simulation.gas : steps.map((step) => ASSUMED_GAS[step.kind])
  const fee = chain.networkFee(gas, senderState) + (simulation.rentDeposits ?? 0n)
  // A Solana wallet must keep a minimum balance: with barely more than the fee, nodes report missing lamports.
  const lacksNative = !simulation.ok && simulation.code === 'INSUFFICIENT_FUNDS'
  if (senderState.native < fee || lacksNative) {
    const coins = (native: bigint) => new Money(native, chain.nativeDecimals)
    throw new Failure('INSUFFICIENT_GAS', {
      details: { token: chain.network.nativeSymbol, required: coins(fee), available: coins(senderState.native) },
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
  requireReturned(steps, simulation.returned ?? [])
  return { steps, senderState, gas }
}

/** Nodes that return no results of a simulation leave it to the chain. */
function requireReturned(steps: readonly PlanStep[], returned: readonly (bigint | undefined)[]): void {
  for (const [index, { description, returnsAtLeast, returnsAtMost }] of steps.entries()) {
    const found = returned[index]
    if (found === undefined || (found >= (returnsAtLeast ?? found) && found <= (returnsAtMost ?? found))) continue
    throw new Failure('SIMULATION_FAILED', {
      details: {
        transaction: description,
        reason: 'pays_less',
        failureCode: 'PAYS_LESS',
      },
    })
  }
}
