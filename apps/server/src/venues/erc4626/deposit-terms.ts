import type { ContractRead } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import type { DepositTerms, Strategy } from '../port.ts'
import { termsOfRoom } from '../require-deposit-accepted.ts'
import { vaultAbi } from './abi.ts'

/** Stands for any receiver. Nobody holds its key, so no vault has an exception for it. */
export const ANYONE = '0x000000000000000000000000000000000000dEaD'
/** More than any token's supply; vaults without a bound return the largest integer, or half of it. */
const UNBOUNDED = 2n ** 127n

/**
 * By the standard, `maxDeposit` factors in every limit, and is 0 while deposits are disabled. A vault that declares
 * `limits: 'unreported'` returns 0 by design: there only a simulation decides.
 */
export function depositTermsCall(strategy: Strategy, receiver: string): ContractRead {
  return { address: strategy.params.vault!, abi: vaultAbi, functionName: 'maxDeposit', args: [receiver] }
}

/** The terms in the result of {@link depositTermsCall}. */
export function depositTermsFrom({ params }: Strategy, result: unknown): DepositTerms {
  if (typeof result !== 'bigint') throw new ContractUnavailableError(params.vault!, 'maxDeposit')
  if (result >= UNBOUNDED || (result === 0n && params.limits === 'unreported')) return termsOfRoom(null)
  return termsOfRoom(result)
}
