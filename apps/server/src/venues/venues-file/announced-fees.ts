import { feeText } from '../facts/vault-fees.ts'
import type { Rates, Strategy } from '../port.ts'
import type { VenuesFileProblem } from './venues-file-error.ts'

/** What to tell an operator about a vault that keeps a part of deposits or withdrawals; empty: nothing. */
export function announcedFees(
  { params }: Strategy,
  { entryFeeBps, exitFeeBps }: Pick<Rates, 'entryFeeBps' | 'exitFeeBps'>,
): Pick<VenuesFileProblem, 'code' | 'message'>[] {
  const fees = { entryFeeBps: entryFeeBps ?? null, exitFeeBps: exitFeeBps ?? null }
  const entry = feeText(fees, 'entry')
  const exit = feeText(fees, 'exit')
  const kept = [
    ...(entry ? [`${entry} of each deposit, so Weir does not deposit there on its own`] : []),
    ...(exit ? [`${exit} of each withdrawal, so it is the last to fill a buffer`] : []),
  ]
  return kept.length === 0 ? [] : [{ code: 'KEEPS_FEES', message: `${params.vault} keeps ${kept.join(', and ')}` }]
}
