import type { MovePurpose } from '../../database/index.ts'
import { maxAmount, minAmount } from '../../kernel/index.ts'
import type { FundsInTransit, PlannedMove } from './plan-claims.ts'

/** What is left of a requested withdrawal. */
export interface AwaitedOfPosition {
  readonly awaitedId: number
  /** Base units. */
  readonly rest: bigint
  /** As of the position, without the rebalancer's pauses of its own moves. */
  readonly excluded: string | null
}

/** The position of an operational wallet in one strategy. Amounts in base units. */
export interface StrategyPosition {
  readonly strategyId: number
  readonly name: string
  /** Yearly rate as a decimal fraction. */
  readonly apy: number
  readonly value: bigint
  /** What the wallet could withdraw now; `null` when it was not read, which counts as all of it. */
  readonly withdrawable: bigint | null
  /** What it keeps of a withdrawal where that is too much, as a text for people; absent: nothing that matters. */
  readonly exitFee?: string | undefined
  /** Its contracts could not be read: nothing is withdrawn before they can be. */
  readonly isUnread?: boolean | undefined
  /** The chain says that it is empty, and the ledger does not yet: it is not final, or a node lags. */
  readonly isUnsettled?: boolean | undefined
  /** Why it is left out at present, as a text for people; `null`: it is not. */
  readonly excluded: string | null
  /** Half of what it refused last, although it said that it could pay it; absent: nothing. */
  readonly askAtMost?: bigint | undefined
  /** Its withdrawals are requested and claimed later, unless `withdrawable` says otherwise at present. */
  readonly takesTime?: boolean | undefined
  /** Another request would delay all that is not claimed. */
  readonly restartsWithRequest?: boolean | undefined
  /** Whether part of it is on its way could not be read, so nothing is requested. */
  readonly isExitUnread?: boolean | undefined
  /** Why all of it is to be withdrawn, whatever the buffer needs, as a text for people; absent: it is not. */
  readonly evacuate?: string | undefined
  /** Why it is not withdrawn although it should be, as a text for people. */
  readonly staysBecause?: string | undefined
  /** What somebody requested of it and it could not pay yet; absent: nothing. */
  readonly awaited?: AwaitedOfPosition | undefined
}

/** A position, and what it could pay now. Amounts in base units. */
export interface WithdrawalSource {
  readonly strategyId: number
  readonly name: string
  readonly value: bigint
  /** `null`: unknown. */
  readonly withdrawable: bigint | null
  readonly verdict: string
}

export interface PayablePosition {
  readonly holding: StrategyPosition
  /** What it can pay now. */
  readonly payable: bigint
}

interface Unwind {
  readonly worth: bigint
  readonly purpose: MovePurpose
  readonly why: string
}

export function unwindOf(position: StrategyPosition, { worth, purpose, why: reason }: Unwind): PlannedMove {
  const { strategyId, name, value, exitFee } = position
  const why = exitFee === undefined ? reason : `${reason} It keeps ${exitFee} of it as a fee.`
  const amount = worth === value ? null : worth
  return { type: 'UNWIND', strategyId, strategyName: name, amount, worth, purpose, why }
}

/** What a position can pay now. Less than `dust` is not worth a transaction, even after a refusal. */
export function payableNow(holding: StrategyPosition, dust: bigint): bigint {
  const { value, withdrawable, excluded, takesTime, isUnread } = holding
  if (excluded !== null || isUnread || (takesTime && withdrawable === null)) return 0n
  return asked(holding, minAmount(value, withdrawable ?? value), dust)
}

/** What could be requested from a position: 0 where a request would delay what was requested already. */
export function requestable(
  holding: StrategyPosition,
  { exits, dust }: { readonly exits: readonly FundsInTransit[]; readonly dust: bigint },
): bigint {
  const { strategyId, value, takesTime, withdrawable, excluded, restartsWithRequest, isExitUnread, isUnread } = holding
  if (!takesTime || isUnread || isExitUnread || excluded !== null || (withdrawable ?? 0n) > 0n) return 0n
  const isDelayed = exits.some((exit) => exit.strategyId === strategyId && mustArriveFirst(exit, dust))
  return restartsWithRequest && isDelayed ? 0n : asked(holding, value, dust)
}

/**
 * Whether a restarted cooldown would matter. It holds up also what can be claimed already: that is claimed first, and a
 * claim that is left out at present is tried again. A crumb blocks requests only while its claim is possible.
 */
function mustArriveFirst({ pending, claimable, excluded }: FundsInTransit, dust: bigint): boolean {
  return pending > 0n || claimable >= dust || (claimable > 0n && excluded === null)
}

/** What was refused is not asked for again at once, but half of it. */
function asked({ askAtMost }: StrategyPosition, payable: bigint, dust: bigint): bigint {
  return askAtMost === undefined ? payable : minAmount(payable, maxAmount(askAtMost, dust))
}

export function noteOf({ name, excluded, withdrawable, takesTime, askAtMost, isUnread }: StrategyPosition): string {
  if (excluded !== null) return `${name}: ${excluded}.`
  if (isUnread) return `What ${name} can pay could not be read.`
  if (takesTime && !withdrawable) return `${name} pays some time after a request.`
  if (withdrawable === 0n) return `${name} can pay out nothing now.`
  return askAtMost === undefined
    ? `${name} can pay out only part of the position now.`
    : `${name} refused more, so it is asked for less.`
}

export function sourceOf({ holding, payable }: PayablePosition): WithdrawalSource {
  const { strategyId, name, value, excluded, isUnread } = holding
  const source = { strategyId, name, value }
  if (isUnread) return { ...source, withdrawable: null, verdict: excluded ?? 'what it can pay could not be read' }
  const verdict =
    excluded ??
    (payable === value ? 'can pay all of it' : payable === 0n ? 'can pay nothing now' : 'can pay part of it')
  return { ...source, withdrawable: minAmount(value, holding.withdrawable ?? value), verdict }
}
