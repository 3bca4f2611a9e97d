import { minAmount } from '../../kernel/index.ts'

/** What an owner could withdraw, in base units, and when it was read, by the chain's clock. */
export interface WithdrawableAt {
  readonly amount: bigint
  readonly at: Date
}

interface WithdrawableRow {
  readonly withdrawable: bigint | null
  readonly withdrawable_at: Date | null
}

/** The last reading, at most the present value; `null` before the first reading, or if the last one failed. */
export function withdrawableOf(
  { withdrawable, withdrawable_at: at }: WithdrawableRow,
  value: bigint,
): WithdrawableAt | null {
  return withdrawable === null || at === null ? null : { amount: minAmount(withdrawable, value), at }
}
