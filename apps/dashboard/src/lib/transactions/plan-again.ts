import type { Schema } from '../../api/types.ts'
import { toBaseUnits } from '../money/money.ts'

export type Ended = Pick<
  Schema<'CoreOperation'>,
  | 'id'
  | 'type'
  | 'status'
  | 'failureReason'
  | 'executor'
  | 'exitStep'
  | 'revokesAllowance'
  | 'opWalletId'
  | 'walletId'
  | 'token'
  | 'amount'
  | 'strategy'
>

/** Whether the next step after an operation is the same plan: it failed or was aborted, and no newer plan took its place. */
export const mayPlanAgain = ({
  status,
  failureReason,
  exitStep,
  revokesAllowance,
}: Pick<Ended, 'status' | 'failureReason' | 'revokesAllowance'> & Partial<Ended>): boolean =>
  (status === 'FAILED' || status === 'ABORTED') &&
  failureReason !== 'SUPERSEDED' &&
  // Weir plans claims by itself, and an allowance is taken back where it is shown.
  exitStep !== 'claim' &&
  revokesAllowance === undefined

/** The request that plans the operation of an API client again; its program signs the bytes in the response. */
export function requestAgain({ type, walletId, token, amount, strategy }: Ended) {
  const units = toBaseUnits(amount.amount, token.decimals) ?? 0n
  const body = { walletId, strategyId: strategy.id, amount: units.toString() }
  return type === 'SUPPLY'
    ? { method: 'POST' as const, path: '/v1/operations/supply', body: { ...body, tokenAddress: token.mintAddress } }
    : { method: 'POST' as const, path: '/v1/operations/unwind', body }
}
