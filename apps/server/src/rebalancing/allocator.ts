import { least } from '../kernel/index.ts'

/** A strategy that could take a deposit. Amounts in base units of its token. */
export interface Option {
  readonly strategyId: number
  readonly name: string
  /** Decimal fraction a year. */
  readonly apy: number
  readonly minDeposit: bigint | null
  readonly maxDeposit: bigint | null
  /** What the organization's cap on its share in this strategy leaves; `null`: no cap. */
  readonly room: bigint | null
  /** Gas there and back, in base units of the token; 0 where the native coin has no price. */
  readonly gas: bigint
}

/** How one strategy was weighed, kept with the operation. */
export interface Weighed {
  readonly strategyId: number
  readonly name: string
  readonly apy: number
  /** What the whole amount would bring here over the horizon, after gas, in base units. */
  readonly gain: bigint
  readonly verdict: string
}

export interface Part {
  readonly option: Option
  readonly amount: bigint
}

export interface Shared {
  readonly parts: readonly Part[]
  readonly weighed: readonly Weighed[]
  /** What no strategy takes. */
  readonly left: bigint
}

export interface Terms {
  /** Parts below it are not worth a transaction. */
  readonly floor: bigint
  readonly horizonDays: number
}

const DAYS_A_YEAR = 365n
const RATE_SCALE = 1_000_000_000_000n

/**
 * Shares an amount out: to the strategy that brings most after gas over the horizon, and beyond its bounds and caps to
 * the next one (decisions 10). A part whose gas exceeds its yield is not made. Pure.
 */
export function share(options: readonly Option[], amount: bigint, { floor, horizonDays }: Terms): Shared {
  const parts: Part[] = []
  let left = amount
  const weighed = ranked(options, amount, horizonDays).map(({ option, gain }): Weighed => {
    const { strategyId, name, apy } = option
    const part = least(left, least(option.maxDeposit ?? left, option.room ?? left))
    const fault = faultOf(option, part, left, floor, horizonDays)
    if (fault === undefined) {
      parts.push({ option, amount: part })
      left -= part
    }
    return { strategyId, name, apy, gain, verdict: fault ?? (part < amount ? 'takes a part' : 'takes all of it') }
  })
  return { parts, weighed, left }
}

/** What an amount earns in a year's part, in base units; rounded towards nothing. */
function yieldOver(amount: bigint, apy: number, days: number): bigint {
  const rate = BigInt(Math.round(apy * Number(RATE_SCALE)))
  return (amount * rate * BigInt(Math.round(days))) / (DAYS_A_YEAR * RATE_SCALE)
}

function ranked(options: readonly Option[], amount: bigint, days: number): { option: Option; gain: bigint }[] {
  return options
    .map((option) => ({ option, gain: yieldOver(amount, option.apy, days) - option.gas }))
    .sort((a, b) => (a.gain === b.gain ? a.option.strategyId - b.option.strategyId : a.gain > b.gain ? -1 : 1))
}

/** Why a strategy does not take this part, in words for people. */
function faultOf(option: Option, part: bigint, left: bigint, floor: bigint, horizonDays: number): string | undefined {
  if (left === 0n) return 'nothing is left for it'
  if (option.apy < 0) return 'it loses money at present'
  if (option.room !== null && part === 0n) return "the organization's share in it is at its cap"
  if (option.minDeposit !== null && part < option.minDeposit) return 'less than its least deposit'
  if (part < floor) return 'too little to be worth a transaction'
  if (option.gas > yieldOver(part, option.apy, horizonDays)) return 'gas there and back exceeds the yield'
  return undefined
}
