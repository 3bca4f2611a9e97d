import { Violation } from '../violation.ts'
import type { AcceptedFact, BreakerRow, SeenBreaker } from './breaker-row.ts'

/** Hundredths of a percent, as the last event announced them. */
const announcedMeasure = ({ announced }: BreakerRow): number => Math.round(Number(announced) * 100)

/** What was accepted, as of this check, and never more than was announced; `undefined`: nothing, or a fact that was not recent. */
export function acceptedBy(before: SeenBreaker | undefined, row: BreakerRow): AcceptedFact | undefined {
  if (row.state !== 'accepted' || !before) return undefined
  if (before.state === 'accepted') return before.accepted
  if (!row.known) return undefined
  const measure = row.measure === null ? null : Math.min(row.measure, announcedMeasure(row))
  return { measure, code: row.code }
}

/** Whether nobody who read the events knows a fact: other code, or one that is worse by as much as the settings allow. */
export function isNews(row: BreakerRow): boolean {
  const { kind, measure, threshold, code, announced } = row
  if (announced === null) return true
  if (kind === 'upgrade') return code !== announced
  return measure !== null && threshold !== null && measure > announcedMeasure(row) + threshold
}

/** Whether a fact is worse than what was accepted, by as much as the settings allow again. */
export function isWorse(accepted: AcceptedFact | undefined, { kind, measure, threshold, code }: BreakerRow): boolean {
  if (!accepted) return false
  if (kind === 'upgrade') return code !== accepted.code
  if (measure === null || threshold === null || accepted.measure === null) return false
  return measure > accepted.measure + threshold
}

/**
 * One that was accepted opens again only when its fact is worse than that; for liquidity, when it was fine first, which
 * shows in its state.
 */
export function checkReopening(before: SeenBreaker | undefined, row: BreakerRow): void {
  if (before?.state !== 'accepted' || row.state !== 'open' || before.settings !== row.settings) return
  if (row.kind === 'illiquidity' ? !(before.holds && row.holds) : !before.accepted) return
  if (isWorse(before.accepted, before) || isWorse(before.accepted, row)) return
  throw new Violation(`breaker ${row.breaker} opened again, and its fact is no worse than what was accepted`)
}
