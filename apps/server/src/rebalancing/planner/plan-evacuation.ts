import { largestFirst } from './crumbs.ts'
import { noteOf, type PayablePosition, payableNow, requestable, sourceOf, unwindOf } from './payable-positions.ts'
import type { PlannedWithdrawals, PlannerInput, RebalancePlan } from './rebalance-plan.ts'

/**
 * Withdraws all that positions with an open circuit breaker can pay now, before the buffer's needs, the largest first: the
 * next plan sees what came back. What they cannot pay yet is awaited. Dust stays: anybody can send a wallet a little of a
 * position, again and again, and each withdrawal costs gas.
 */
export function planEvacuation({ holdings, exits, dust }: PlannerInput): PlannedWithdrawals {
  const leaving = holdings
    .filter(({ evacuate: why, value }) => why !== undefined && value > 0n)
    .map((holding): PayablePosition => {
      return { holding, payable: payableNow(holding, dust) || requestable(holding, { exits, dust }) }
    })
  const worthIt = leaving.filter(({ payable }) => payable > 0n && payable >= dust)
  const moves = largestFirst(worthIt, 'payable').map(({ holding, payable: worth }) => {
    return unwindOf(holding, { worth, purpose: 'evacuation', why: `All of it is withdrawn: ${holding.evacuate}.` })
  })
  const stuck = leaving.filter(({ holding, payable }) => payable < holding.value)
  const staying = holdings.filter(({ staysBecause, value }) => staysBecause !== undefined && value > 0n)
  const awaited = stuck.reduce((sum, { holding, payable }) => sum + holding.value - payable, 0n)
  return {
    moves,
    awaited,
    later: awaited < dust ? 0n : awaited,
    sources: leaving.map(sourceOf),
    notes: [
      ...stuck.map(({ holding }) => noteOf(holding)),
      ...staying.map(({ name, staysBecause }) => `${name}: ${staysBecause}.`),
    ],
  }
}

/** Adds to a plan what is to leave positions that cannot pay it yet. */
export function withWaiting(planned: RebalancePlan, { awaited, notes, sources }: PlannedWithdrawals): RebalancePlan {
  if (notes.length === 0) return planned
  return {
    ...planned,
    awaited: planned.awaited > awaited ? planned.awaited : awaited,
    notes: [...new Set([...notes, ...planned.notes])],
    sources: planned.sources.length > 0 ? planned.sources : sources,
  }
}
