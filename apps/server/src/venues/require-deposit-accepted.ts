import { Failure, Money } from '../kernel/index.ts'
import type { DepositTerms, Strategy } from './port.ts'

const MESSAGES = {
  full: "The strategy's contracts accept no deposits at the moment.",
  frozen: 'The protocol froze the strategy: its contracts accept no deposits at the moment.',
  paused: 'The protocol paused the strategy: its contracts accept no deposits at the moment.',
} as const

/**
 * Refuses a deposit that the strategy's contracts do not accept. Errors: STRATEGY_NOT_ACTIVE with `details.reason`
 * `full`, `frozen` or `paused`; AMOUNT_OUT_OF_BOUNDS with what they accept.
 */
export function requireDepositAccepted(strategy: Strategy, { state, room }: DepositTerms, amount: bigint): void {
  if (state !== 'open') {
    throw new Failure('STRATEGY_NOT_ACTIVE', { message: MESSAGES[state], details: { reason: state } })
  }
  if (room === null || amount <= room) return
  const { minDeposit, tokenDecimals } = strategy
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', {
    message: "The strategy's contracts accept less than this amount at the moment.",
    details: {
      minDeposit: minDeposit === null ? null : new Money(minDeposit, tokenDecimals),
      maxDeposit: new Money(room, tokenDecimals),
    },
  })
}

/**
 * Refuses deposits into a strategy that the catalogue does not offer, whatever its contracts accept. Error:
 * STRATEGY_NOT_ACTIVE with `details.reason` `paused`.
 */
export function requireOffered({ status }: Pick<Strategy, 'status'>): void {
  if (status === 'active') return
  throw new Failure('STRATEGY_NOT_ACTIVE', { details: { reason: 'paused' } })
}

/** What a strategy accepts: nothing if the catalogue does not offer it, else what its contracts accepted when last read. */
export function acceptedDeposits({ status, deposits }: Pick<Strategy, 'status' | 'deposits'>): DepositTerms | null {
  return status === 'active' ? deposits : { state: 'paused', room: 0n }
}

/** Terms of contracts that report only how much they accept; `null`: no bound. */
export function termsOfRoom(room: bigint | null): DepositTerms {
  return { state: room === 0n ? 'full' : 'open', room }
}
