import type { ContractRead } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import type { DepositTerms, Strategy } from '../port.ts'
import { termsOfRoom } from '../require-deposit-accepted.ts'
import { vaultAbi } from './abi.ts'

/** Stands for any receiver. Nobody holds its key, so no vault has an exception for it. */
export const ANYONE = '0x000000000000000000000000000000000000dEaD'
/**
 * More than any token's supply; vaults without a bound return the largest integer of some size, or what is left of it: the
 * smallest is Euler's, of 112 bits.
 */
const UNBOUNDED = 2n ** 111n

/**
 * By the standard, `maxDeposit` factors in every limit, and is 0 while deposits are disabled. A vault that declares
 * `limits: 'unreported'` returns 0 by design: there only a simulation decides. Many vaults tell by `paused` why it is 0.
 */
export function depositTermsCalls({ params }: Strategy, receiver: string): readonly [ContractRead, ContractRead] {
  const address = params.vault!
  return [
    { address, abi: vaultAbi, functionName: 'maxDeposit', args: [receiver] },
    { address, abi: vaultAbi, functionName: 'paused', args: [] },
  ]
}

/** Whether the results of {@link depositTermsCalls} say nothing by design. */
export const areLimitsUnreported = ({ params }: Strategy, [room]: readonly unknown[]): boolean =>
  room === 0n && params.limits === 'unreported'

/** The terms in the results of {@link depositTermsCalls}; `simulated`: what a simulation found where they are untold. */
export function depositTermsFrom(
  strategy: Strategy,
  results: readonly unknown[],
  simulated: bigint | null = null,
): DepositTerms {
  const [reported, paused] = results
  if (typeof reported !== 'bigint') throw new ContractUnavailableError(strategy.params.vault!, 'maxDeposit')
  const room = areLimitsUnreported(strategy, results) ? simulated : reported
  if (room === null || room >= UNBOUNDED) return termsOfRoom(null)
  return room === 0n && paused === true ? { state: 'paused', room } : termsOfRoom(room)
}
