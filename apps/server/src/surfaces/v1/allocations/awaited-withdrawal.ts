import Type from 'typebox'
import { type AwaitedWithdrawal, restOf } from '../../../rebalancing/index.ts'
import { baseUnits, dateTime, orNull } from '../schemas.ts'

/** What a position could not pay at once, on v1. */
export const AwaitedWithdrawalRecord = Type.Object(
  {
    amount: orNull(baseUnits('What was requested; null: the whole position.')),
    fetched: baseUnits('What was withdrawn of it so far.'),
    rest: baseUnits('Amount still to be withdrawn, including what an unfinished operation is withdrawing.'),
    requestedAt: dateTime('When it was requested.'),
  },
  {
    $id: 'AwaitedWithdrawalRecord',
    description:
      'Only for operational wallets: a withdrawal that the strategy could not pay at once. Weir withdraws the rest as it comes free. Absent if none is awaited.',
  },
)

/** Presents it for a position of this value; absent without one. */
export function presentAwaited(awaited: AwaitedWithdrawal | undefined, value: bigint) {
  if (!awaited) return undefined
  const { amount, fetched, requestedAt } = awaited
  return {
    awaitedWithdrawal: {
      amount: amount?.toString() ?? null,
      fetched: fetched.toString(),
      rest: restOf(awaited, value).toString(),
      requestedAt: requestedAt.toISOString(),
    },
  }
}
