import { decimalText } from '@weir/verify'
import {
  type AmountLimit,
  type CountedMove,
  type FeeLimit,
  type Limits,
  type Move,
  WINDOW_MS,
  type Window,
} from './limits.ts'

/** A cap over time and what counts against it. */
export interface Usage {
  readonly limit: string
  readonly window: Window
  readonly used: bigint
  readonly cap: bigint
}

/**
 * The first limit that this move would exceed together with the counted ones: a code and a sentence for people.
 * Undefined: it is within all of them.
 */
export function exceededLimit(
  limits: Limits,
  move: Move,
  counted: readonly CountedMove[],
  now: number,
): string | undefined {
  for (const limit of limits.amounts) {
    if (!applies(limit, move)) continue
    const same = counted.filter((one) => moves(one) && applies(limit, one) && keyOf(limit, one) === keyOf(limit, move))
    const asked = scaled(limit, move)
    const over = firstOver(limit, asked, (window) => total(within(same, window, now).map((one) => scaled(limit, one))))
    if (over) {
      const text = (units: bigint) => `${decimalText(units, limit.decimals)} ${limit.token}`
      return `LIMIT_REACHED: ${text(asked)} would exceed the agent's limit "${limit.name}" of ${text(over.cap)} per ${over.window}; ${text(over.used)} of it is used`
    }
  }
  for (const limit of limits.fees.filter(({ blockchain }) => blockchain === move.blockchain)) {
    const over = firstOver(limit, move.fee, (window) => feesOf(limit, window, counted, now))
    if (over) {
      return `FEE_BUDGET_REACHED: a fee of up to ${move.fee} base units would exceed the agent's limit "${limit.name}" of ${over.cap} per ${over.window}; ${over.used} of it is used`
    }
  }
  return undefined
}

/** What counts against each cap now. For limits that apply to each venue or wallet, that of the most used one. */
export function usageOf(limits: Limits, counted: readonly CountedMove[], now: number): readonly Usage[] {
  const amounts = limits.amounts.flatMap((limit) => {
    const same = counted.filter((one) => moves(one) && applies(limit, one))
    return windowsOf(limit).map((window): Usage => {
      const sums = new Map<string, bigint>()
      for (const one of within(same, window, now)) {
        sums.set(keyOf(limit, one), (sums.get(keyOf(limit, one)) ?? 0n) + scaled(limit, one))
      }
      const used = [...sums.values()].reduce((most, sum) => (sum > most ? sum : most), 0n)
      return { limit: limit.name, window, used, cap: limit.caps[window]! }
    })
  })
  const fees = limits.fees.flatMap((limit) =>
    windowsOf(limit).map((window): Usage => {
      return { limit: limit.name, window, used: feesOf(limit, window, counted, now), cap: limit.caps[window]! }
    }),
  )
  return [...amounts, ...fees]
}

/** The limits in one line each, for the log. */
export function limitsText({ amounts, fees }: Limits): readonly string[] {
  const line = (limit: AmountLimit | FeeLimit, text: (cap: bigint) => string) =>
    `${limit.name}: ${windowsOf(limit).map((window) => `${text(limit.caps[window]!)} per ${window}`)}`
  return [
    ...amounts.map((limit) => line(limit, (cap) => `${decimalText(cap, limit.decimals)} ${limit.token}`)),
    ...fees.map((limit) => line(limit, String)),
  ]
}

function windowsOf({ caps }: AmountLimit | FeeLimit): Window[] {
  return (Object.keys(WINDOW_MS) as Window[]).filter((window) => caps[window] !== undefined)
}

function firstOver(limit: AmountLimit | FeeLimit, asked: bigint, usedIn: (window: Window) => bigint) {
  for (const window of windowsOf(limit)) {
    const [used, cap] = [usedIn(window), limit.caps[window]!]
    if (used + asked > cap) return { window, used, cap }
  }
  return undefined
}

/** The allowance of an approval moves nothing. */
function moves({ does }: Move): boolean {
  return does === 'supply' || does === 'withdraw'
}

/** An approval is checked as the supply that it prepares. */
function applies(limit: AmountLimit, { token, blockchain, venue, wallet, does }: Move): boolean {
  const direction = does === 'withdraw' ? 'withdraw' : 'supply'
  return (
    limit.token === token &&
    limit.scale.has(blockchain) &&
    (limit.venue ?? venue) === venue &&
    (limit.wallet ?? wallet) === wallet &&
    (limit.does ?? direction) === direction
  )
}

function keyOf({ each }: AmountLimit, { blockchain, venue, wallet }: Move): string {
  if (each === 'venue') return `${blockchain} ${venue}`
  return each === 'wallet' ? wallet : ''
}

function scaled({ scale }: AmountLimit, { blockchain, amount }: Move): bigint {
  return amount * scale.get(blockchain)!
}

/**
 * What counts in the window that ends now. It rolls: with calendar days twice the amount could move around midnight.
 * Times after now count as well, so setting the clock back frees nothing.
 */
function within(counted: readonly CountedMove[], window: Window, now: number): readonly CountedMove[] {
  return counted.filter(({ at }) => at === null || at > now - WINDOW_MS[window])
}

function feesOf({ blockchain }: FeeLimit, window: Window, counted: readonly CountedMove[], now: number): bigint {
  return total(
    within(
      counted.filter((one) => one.blockchain === blockchain),
      window,
      now,
    ).map(({ fee }) => fee),
  )
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}
