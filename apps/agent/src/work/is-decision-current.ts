import type { ApprovalUse, Journal, SignedTransaction } from '../journal/index.ts'

/**
 * Whether what was decided on still holds. Nothing waits between this look and the write of the signed bytes, so even
 * work that was decided at the same time cannot release an approval twice or leave its venue.
 */
export function isDecisionCurrent(
  journal: Pick<Journal, 'signedFor' | 'venueOf' | 'bindApproval'>,
  entry: SignedTransaction,
  { earlier, binding }: { readonly earlier: readonly SignedTransaction[]; readonly binding: ApprovalUse | undefined },
): boolean {
  const { transactionId, operationId } = entry
  const venue = journal.venueOf(operationId)
  return (
    journal.signedFor(transactionId).length === earlier.length &&
    (venue === undefined || venue === entry.venue) &&
    (binding === undefined || journal.bindApproval(binding, transactionId))
  )
}
