import { apyFromRate, maxAmount, minAmount } from '../../kernel/index.ts'
import type { InterestTerms } from './interest-terms.ts'
import { depositedSf, ONE_SF } from './price.ts'
import type { Reserve } from './reserve.ts'

/**
 * Interest and rewards as the program computes them: a yearly rate is spread over 63,072,000 slots, two per second,
 * however long they really take. Rates in units of 2⁻⁶⁰.
 */
const SLOTS_PER_YEAR = 63_072_000n
/** The real duration of a slot; at half a second, a year would have exactly the program's number of slots. */
const SLOT_MS = 400
const PROGRAM_SLOT_MS = 500
const BPS = 10_000n

/**
 * A reserve with interest and rewards up to a slot, as a refresh there would leave it. Never goes back to an earlier
 * slot.
 */
export function accrueTo(reserve: Reserve, terms: InterestTerms, slot: bigint): Reserve {
  const slots = slot - reserve.refreshedAt
  if (slots <= 0n) return reserve
  const fixed = (terms.hostFixedRateBps * ONE_SF) / BPS
  const debt = reserve.borrowedSf
  const debtWithInterest = multiplySf(debt, compoundedInterest(borrowRate(reserve, terms) + fixed, slots))
  const hostFee = multiplySf(debt, compoundedInterest(fixed, slots)) - debt
  const protocolFee = ((debtWithInterest - debt - hostFee) * terms.protocolTakePct) / 100n
  const accrued = {
    ...reserve,
    refreshedAt: slot,
    borrowedSf: debtWithInterest,
    protocolFeesSf: reserve.protocolFeesSf + protocolFee + hostFee,
  }
  return withRewards(accrued, terms, slots)
}

/** Rewards of some slots become the depositors': as many as are configured, allowed by the market, and left. */
function withRewards(accrued: Reserve, terms: InterestTerms, slots: bigint): Reserve {
  if (accrued.shares === 0n) return accrued
  const deposited = depositedSf(accrued) / ONE_SF
  const allowed = (deposited * terms.rewardsMaxAprBps * slots) / (BPS * SLOTS_PER_YEAR)
  const paid = minAmount(minAmount(terms.rewardsPerSlot * slots, allowed), accrued.rewardsAvailable)
  return { ...accrued, available: accrued.available + paid, rewardsAvailable: accrued.rewardsAvailable - paid }
}

/** The APY of a deposit at the current rate. */
export function supplyApy(reserve: Reserve, terms: InterestTerms): number {
  return apyFromRate((supplyRate(reserve, terms) * PROGRAM_SLOT_MS) / SLOT_MS)
}

/** The yield over a year of the program's slots, of interest and rewards, without compounding. */
export function supplyRate(reserve: Reserve, terms: InterestTerms): number {
  return interestRate(reserve, terms) + rewardsRate(reserve, terms)
}

/** 0 when nothing is left to pay: nobody can say when rewards are topped up. */
function rewardsRate(reserve: Reserve, { rewardsPerSlot, rewardsMaxAprBps }: InterestTerms): number {
  const deposited = depositedSf(reserve) / ONE_SF
  if (reserve.rewardsAvailable === 0n || reserve.shares === 0n || deposited <= 0n) return 0
  const configured = Number(rewardsPerSlot * SLOTS_PER_YEAR) / Number(deposited)
  return Math.min(configured, Number(rewardsMaxAprBps) / Number(BPS))
}

function interestRate(reserve: Reserve, terms: InterestTerms): number {
  const lent = Number(utilization(reserve)) / Number(ONE_SF)
  const rate = Number(borrowRate(reserve, terms)) / Number(ONE_SF)
  return (lent * rate * Number(100n - terms.protocolTakePct)) / 100
}

function utilization(reserve: Reserve): bigint {
  const all = depositedSf(reserve)
  return all <= 0n ? 0n : minAmount((reserve.borrowedSf * ONE_SF) / all, ONE_SF)
}

/** The curve's rate at the current utilization. A curve ends where its points repeat. */
function borrowRate(reserve: Reserve, { curve }: InterestTerms): bigint {
  const at = utilization(reserve)
  const scaled = (bps: bigint) => (bps * ONE_SF) / BPS
  for (const [index, [end, to]] of curve.entries()) {
    const [begin, from] = curve[index - 1] ?? [end, to]
    if (at > scaled(end)) continue
    if (end === begin) return scaled(to)
    return scaled(from) + ((at - scaled(begin)) * (to - from)) / (end - begin)
  }
  return scaled(curve.at(-1)?.[1] ?? 0n)
}

/** The first terms of the binomial series, as the program computes them. */
function compoundedInterest(rate: bigint, slots: bigint): bigint {
  const base = rate / SLOTS_PER_YEAR
  const first = base * slots
  const second = (multiplySf(first, base) * (slots - 1n)) / 2n
  const third = (multiplySf(second, base) * maxAmount(slots - 2n, 0n)) / 3n
  return ONE_SF + first + second + third
}

function multiplySf(a: bigint, b: bigint): bigint {
  return (a * b) / ONE_SF
}
