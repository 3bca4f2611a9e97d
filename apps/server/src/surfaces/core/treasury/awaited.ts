import Type from 'typebox'
import { formatDecimal } from '../../../kernel/index.ts'
import { type AwaitedWithdrawal, restOf } from '../../../rebalancing/index.ts'
import { decimal, orNull } from '../formats.ts'
import { dateTime } from '../schemas.ts'

/** What a position could not pay at once, on the routes of allocations. */
export const AwaitedWithdrawalData = Type.Object(
  {
    amount: orNull(decimal('Amount.'), 'What was requested; null: the whole position.'),
    fetched: decimal('What its completed operations paid.'),
    rest: decimal('Amount still to be paid, including what an unfinished operation is withdrawing.'),
    requestedAt: dateTime('When it was requested.'),
  },
  {
    $id: 'AwaitedWithdrawal',
    description: 'A withdrawal that could not be paid at once. Weir withdraws the rest as it comes free.',
  },
)

/** Presents it for a position of this value. */
export function presentAwaited(awaited: AwaitedWithdrawal, value: bigint, decimals: number) {
  const { amount, fetched, requestedAt } = awaited
  const text = (units: bigint) => formatDecimal(units, decimals)
  return {
    amount: amount === null ? null : text(amount),
    fetched: text(fetched),
    rest: text(restOf(awaited, value)),
    requestedAt: requestedAt.toISOString(),
  }
}
