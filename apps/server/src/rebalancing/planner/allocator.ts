import { gainFromApy, minAmount } from '../../kernel/index.ts'
import type { DepositTerms } from '../../venues/index.ts'

/** A strategy that could take a deposit. Amounts in base units of its token. */
export interface StrategyOption {
  readonly strategyId: number
  readonly name: string
  /** Yearly rate as a decimal fraction. */
  readonly apy: number
  readonly minDeposit: bigint | null
  readonly maxDeposit: bigint | null
  /** What its contracts accept, as last read; `null`: not read yet, which counts as open. */
  readonly deposits: DepositTerms | null
  /** What it keeps of a deposit where that is too much, as a text for people; absent: nothing that matters. */
  readonly entryFee?: string | undefined
  /** Why it is left out at present, as a text for people; `null`: it is not. */
  readonly excluded: string | null
  /** How much the organization's caps and limits on this strategy still permit; `null` without any. */
  readonly headroom: bigint | null
  /** The tightest of them, as a text for people. */
  readonly headroomReason?: string | undefined
  /** Gas for a deposit and its later withdrawal, in base units of the token; 0 where the native coin has no price. */
  readonly gas: bigint
}

/** The evaluation of one strategy, stored with the operation. */
export interface StrategyEvaluation {
  readonly strategyId: number
  readonly name: string
  readonly apy: number
  /** What the whole amount would earn here over the horizon, after gas, in base units. */
  readonly gain: bigint
  readonly verdict: string
}

export interface AllocationPart {
  readonly option: StrategyOption
  readonly amount: bigint
}

interface AllocationSplit {
  readonly parts: readonly AllocationPart[]
  readonly weighed: readonly StrategyEvaluation[]
  /** The amount that no strategy takes. */
  readonly unallocated: bigint
}

export interface SplitSettings {
  /** Smaller parts are not worth a transaction. */
  readonly minimum: bigint
  readonly horizonDays: number
}

const RATE_SCALE = 1_000_000_000_000n

/**
 * Splits an amount across strategies: first the one that earns most after gas over the horizon, then the next one for
 * whatever exceeds its bounds and cap (contract 10). Skips a part whose gas exceeds its yield. Pure.
 */
export function splitAcrossStrategies(
  options: readonly StrategyOption[],
  amount: bigint,
  { minimum, horizonDays }: SplitSettings,
): AllocationSplit {
  const parts: AllocationPart[] = []
  let unallocated = amount
  const weighed = ranked(options, amount, horizonDays).map(({ option, gain }): StrategyEvaluation => {
    const { strategyId, name, apy } = option
    const part = minAmount(unallocated, minAmount(depositBound(option) ?? unallocated, option.headroom ?? unallocated))
    const fault = rejectionReason(option, { part, left: unallocated, floor: minimum, horizonDays })
    if (fault === undefined) {
      parts.push({ option, amount: part })
      unallocated -= part
    }
    return { strategyId, name, apy, gain, verdict: fault ?? (part < amount ? 'takes part of it' : 'takes all of it') }
  })
  return { parts, weighed, unallocated }
}

/** The most that a strategy takes at once, by the catalogue and by its contracts; `null`: no bound. */
export function depositBound({ maxDeposit, deposits }: Pick<StrategyOption, 'maxDeposit' | 'deposits'>): bigint | null {
  if (deposits && deposits.state !== 'open') return 0n
  const room = deposits?.room ?? null
  if (room === null || maxDeposit === null) return room ?? maxDeposit
  return minAmount(room, maxDeposit)
}

const CLOSED = {
  full: 'it accepts no deposits at the moment',
  frozen: 'its protocol froze it',
  paused: 'its protocol paused it',
} as const

/** Yield of an amount over the horizon, in base units, rounded towards zero. */
function yieldOver(amount: bigint, apy: number, days: number): bigint {
  return (amount * BigInt(Math.round(gainFromApy(apy, days) * Number(RATE_SCALE)))) / RATE_SCALE
}

function ranked(
  options: readonly StrategyOption[],
  amount: bigint,
  days: number,
): { option: StrategyOption; gain: bigint }[] {
  return options
    .map((option) => ({ option, gain: yieldOver(amount, option.apy, days) - option.gas }))
    .sort((a, b) => (a.gain === b.gain ? a.option.strategyId - b.option.strategyId : a.gain > b.gain ? -1 : 1))
}

interface OfferedPart {
  readonly part: bigint
  readonly left: bigint
  readonly floor: bigint
  readonly horizonDays: number
}

/** Why a strategy does not take this part, as a text for people. */
function rejectionReason(option: StrategyOption, { part, left, floor, horizonDays }: OfferedPart): string | undefined {
  if (left === 0n) return 'nothing is left for it'
  if (option.excluded !== null) return option.excluded
  if (option.deposits && option.deposits.state !== 'open') return CLOSED[option.deposits.state]
  if (option.entryFee !== undefined) return `it keeps ${option.entryFee} of each deposit as a fee`
  if (option.apy < 0) return 'it loses money at present'
  if (option.headroom !== null && part === 0n)
    return option.headroomReason ?? "the organization's share in it is at its cap"
  if (option.minDeposit !== null && part < option.minDeposit) return 'less than its minimum deposit'
  if (part < floor) return 'too little to be worth a transaction'
  if (option.gas > yieldOver(part, option.apy, horizonDays))
    return 'gas for the deposit and its withdrawal exceeds the yield'
  return undefined
}
