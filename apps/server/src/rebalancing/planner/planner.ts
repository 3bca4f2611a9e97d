import { maxAmount, minAmount } from '../../kernel/index.ts'
import { type StrategyEvaluation, type StrategyOption, splitAcrossStrategies } from './allocator.ts'
import { type MoneyOnItsWay, type PlannedMove, planClaims } from './plan-claims.ts'

/** The position of an operational wallet in one strategy. Amounts in base units. */
export interface StrategyPosition {
  readonly strategyId: number
  readonly name: string
  /** Yearly rate as a decimal fraction. */
  readonly apy: number
  readonly value: bigint
  /** What the wallet could withdraw now; `null` when it was not read, which counts as all of it. */
  readonly withdrawable: bigint | null
  /** The most that a withdrawal planned now can ask for and still be paid when it lands; absent: `withdrawable`. */
  readonly payableLater?: bigint | undefined
  /** Why it is left out at present, as a text for people; `null`: it is not. */
  readonly excluded: string | null
  /** Its withdrawals are requested and claimed later, unless `withdrawable` says otherwise at present. */
  readonly takesTime?: boolean | undefined
  /** Another request would delay those that wait. */
  readonly restartsWithRequest?: boolean | undefined
  /** Requests that are under way could not be read, so nothing is requested. */
  readonly isExitUnread?: boolean | undefined
  /** Why all of it is to be withdrawn, whatever the buffer needs, as a text for people; absent: it is not. */
  readonly evacuate?: string | undefined
}

/** Everything that the plan for an operational wallet depends on. Amounts in base units of its token. */
export interface PlannerInput {
  /** Balance on the chain minus reservations. */
  readonly available: bigint
  /** The amount that must stay liquid. */
  readonly buffer: bigint
  /** What an explicit withdrawal returned to the wallet and must not be deployed again yet. */
  readonly onHold: bigint
  readonly enableYield: boolean
  readonly options: readonly StrategyOption[]
  readonly holdings: readonly StrategyPosition[]
  readonly exits: readonly MoneyOnItsWay[]
  /** Minimum size of a deployment. */
  readonly floor: bigint
  /** A smaller shortfall is ignored. */
  readonly dust: bigint
  readonly horizonDays: number
}

/** A position, and what it could pay now. Amounts in base units. */
export interface WithdrawalSource {
  readonly strategyId: number
  readonly name: string
  readonly value: bigint
  readonly withdrawable: bigint
  readonly verdict: string
}

export interface RebalancePlan {
  /** In the order of execution, one after another. */
  readonly moves: readonly PlannedMove[]
  /** The amount above the buffer that is not on hold. */
  readonly excess: bigint
  /** The amount that the buffer lacks. */
  readonly shortfall: bigint
  /** The part of the shortfall that positions are worth but cannot pay now. */
  readonly awaited: bigint
  /** What each position could pay towards the shortfall; empty for deployments. */
  readonly sources: readonly WithdrawalSource[]
  /** Why there is no move, or why the moves do not cover everything. */
  readonly notes: readonly string[]
  /** The allocator's evaluation of each strategy; empty for unwinds. */
  readonly weighed: readonly StrategyEvaluation[]
}

/**
 * Plans the moves that keep a wallet's buffer full and nothing else idle (contract 10). Pure. A plan never deploys part
 * of the buffer. After its moves are carried out there is nothing left to plan: a deployment leaves exactly the buffer,
 * and an unwind withdraws no more than the shortfall.
 */
export function planMoves(situation: PlannerInput): RebalancePlan {
  const { available, buffer, onHold } = situation
  const shortfall = maxAmount(buffer - available, 0n)
  const excess = maxAmount(available - buffer - onHold, 0n)
  const nothing = { excess, shortfall, weighed: [], awaited: 0n, sources: [] }
  const { claims, crumbs } = planClaims(situation)
  if (claims.length > 0) return { ...nothing, moves: claims, notes: [] }
  const evacuation = evacuate(situation)
  if (evacuation.moves.length > 0) return { ...nothing, ...evacuation }
  const planned = planWithoutEvacuation(situation, { excess, shortfall })
  if (planned.moves.length === 0 && crumbs.length > 0) return { ...planned, moves: crumbs }
  return evacuation.notes.length === 0 ? planned : { ...planned, ...withWaiting(planned, evacuation) }
}

function planWithoutEvacuation(
  situation: PlannerInput,
  { excess, shortfall }: Pick<RebalancePlan, 'excess' | 'shortfall'>,
): RebalancePlan {
  const nothing = { excess, shortfall, weighed: [], awaited: 0n, sources: [] }
  const { dust } = situation
  if (shortfall > 0n) {
    if (shortfall < dust)
      return { ...nothing, moves: [], notes: ['The buffer lacks too little to be worth a transaction.'] }
    return { ...nothing, ...refillBuffer(situation, shortfall) }
  }
  return { ...nothing, ...deployExcess(situation, excess) }
}

/**
 * Withdraws all that positions with an open circuit breaker can pay now, before anything else: the next plan sees what
 * came back. What they cannot pay yet is awaited.
 */
function evacuate({
  holdings,
  exits,
  dust,
}: PlannerInput): Pick<RebalancePlan, 'moves' | 'notes' | 'awaited' | 'sources'> {
  const leaving = holdings
    .filter(({ evacuate: why, value }) => why !== undefined && value > 0n)
    .map((holding): Payer => ({ holding, payable: payableNow(holding) || requestable(holding, exits) }))
  const isWorthIt = ({ holding, payable }: Payer) => payable > 0n && (payable >= dust || payable === holding.value)
  const moves = leaving
    .filter(isWorthIt)
    .map(({ holding, payable }) => unwindOf(holding, payable, `All of it is withdrawn: ${holding.evacuate}.`))
  const stuck = leaving.filter(({ holding, payable }) => payable < holding.value)
  return {
    moves,
    awaited: stuck.reduce((sum, { holding, payable }) => sum + holding.value - payable, 0n),
    sources: leaving.map(sourceOf),
    notes: stuck.map(({ holding }) => noteOf(holding)),
  }
}

/** Adds to a plan what positions with an open circuit breaker cannot pay yet. */
function withWaiting(planned: RebalancePlan, { awaited, notes, sources }: ReturnType<typeof evacuate>) {
  return {
    awaited: planned.awaited > awaited ? planned.awaited : awaited,
    notes: [...new Set([...notes, ...planned.notes])],
    sources: planned.sources.length > 0 ? planned.sources : sources,
  }
}

type Refill = Pick<RebalancePlan, 'moves' | 'notes' | 'awaited' | 'sources'>

interface Payer {
  readonly holding: StrategyPosition
  /** What it can pay now. */
  readonly payable: bigint
}

/**
 * Withdraws from the strategies that earn least first, as far as each can pay now. Amounts that become liquid bit by bit
 * are not withdrawn bit by bit, each with a transaction of its own, unless the buffer cannot be filled without them.
 */
function refillBuffer({ holdings, exits, dust }: PlannerInput, shortfall: bigint): Refill {
  const payers = [...holdings]
    .filter(({ value }) => value > 0n)
    .sort((a, b) => a.apy - b.apy || a.strategyId - b.strategyId)
    .map((holding): Payer => ({ holding, payable: payableNow(holding) }))
  const isCrumb = ({ holding, payable }: Payer) => payable < holding.value && payable < minAmount(shortfall, dust)
  const sum = (some: readonly Payer[]) => some.reduce((total, { payable }) => total + payable, 0n)
  const large = payers.filter((payer) => !isCrumb(payer))
  const crumbs = payers.filter(isCrumb).sort((a, b) => (a.payable === b.payable ? 0 : a.payable > b.payable ? -1 : 1))
  const needsCrumbs = sum(large) < shortfall && sum(payers) >= shortfall
  const moves: PlannedMove[] = []
  let missing = shortfall
  for (const { holding, payable } of needsCrumbs ? [...large, ...crumbs] : large) {
    const worth = minAmount(missing, payable)
    if (worth === 0n) continue
    const why = 'The buffer needs it, and this strategy earns least of those that can pay now.'
    moves.push(unwindOf(holding, worth, why))
    missing -= worth
  }
  const requests = requestMoves({ payers, exits, dust }, missing)
  moves.push(...requests)
  const onItsWay = exits.reduce((total, { pending, claimable }) => total + pending + claimable, 0n)
  const notes = payers
    .filter(({ holding, payable }) => missing > 0n && payable < holding.value)
    .map(({ holding }) => noteOf(holding))
  if (missing > 0n && onItsWay > 0n) notes.push('Money that was requested back is on its way.')
  if (missing > 0n) notes.push('The positions, or what they can pay out now, do not fill the buffer.')
  const locked = payers.reduce((total, { holding }) => total + holding.value, 0n) - (shortfall - missing)
  return { moves, notes, awaited: minAmount(missing, locked + onItsWay), sources: payers.map(sourceOf) }
}

/**
 * Requests what no strategy can pay now from those that pay later. What is on its way counts, so that nothing is requested
 * twice.
 */
function requestMoves(
  { payers, exits, dust }: Pick<PlannerInput, 'exits' | 'dust'> & { readonly payers: readonly Payer[] },
  missing: bigint,
): PlannedMove[] {
  let needed = exits.reduce((rest, { pending, claimable }) => rest - pending - claimable, missing)
  const moves: PlannedMove[] = []
  for (const { holding } of payers) {
    const worth = minAmount(needed, requestable(holding, exits))
    if (needed < dust || worth <= 0n) continue
    const why = 'The buffer needs it, and no strategy can pay it now: it is requested, and claimed when it can be.'
    moves.push(unwindOf(holding, worth, why))
    needed -= worth
  }
  return moves
}

function unwindOf({ strategyId, name, value }: StrategyPosition, worth: bigint, why: string): PlannedMove {
  return { type: 'UNWIND', strategyId, strategyName: name, amount: worth === value ? null : worth, worth, why }
}

/** What could be requested of a position; nothing where that would delay what waits. */
function requestable(holding: StrategyPosition, exits: readonly MoneyOnItsWay[]): bigint {
  const { strategyId, value, takesTime, withdrawable, excluded, restartsWithRequest, isExitUnread } = holding
  if (!takesTime || isExitUnread || excluded !== null || (withdrawable ?? 0n) > 0n) return 0n
  const waits = exits.some((exit) => exit.strategyId === strategyId && exit.pending > 0n)
  return restartsWithRequest && waits ? 0n : value
}

function payableNow({ value, withdrawable, payableLater, excluded, takesTime }: StrategyPosition): bigint {
  if (takesTime && withdrawable === null) return 0n
  return excluded === null ? minAmount(value, payableLater ?? withdrawable ?? value) : 0n
}

function noteOf({ name, excluded, withdrawable, takesTime }: StrategyPosition): string {
  if (excluded !== null) return `${name}: ${excluded}.`
  if (takesTime && !withdrawable) return `${name} pays some time after a request.`
  return withdrawable === 0n ? `${name} can pay out nothing now.` : `${name} can pay out only part of the position now.`
}

function sourceOf({ holding, payable }: Payer): WithdrawalSource {
  const { strategyId, name, value, excluded } = holding
  const verdict =
    excluded ??
    (payable === value ? 'can pay all of it' : payable === 0n ? 'can pay nothing now' : 'can pay part of it')
  return { strategyId, name, value, withdrawable: minAmount(value, holding.withdrawable ?? value), verdict }
}

function deployExcess(situation: PlannerInput, excess: bigint): Pick<RebalancePlan, 'moves' | 'notes' | 'weighed'> {
  const { enableYield, onHold, floor: minimum, options, horizonDays } = situation
  const none = (note: string) => ({ moves: [], notes: [note], weighed: [] })
  if (!enableYield) return none('Yield is switched off for this wallet.')
  if (excess === 0n) {
    return none(onHold > 0n ? 'The amount above the buffer was withdrawn on request.' : 'Nothing is above the buffer.')
  }
  if (excess < minimum) return none('The amount above the buffer is too small to be worth a transaction.')
  const { parts, weighed, unallocated } = splitAcrossStrategies(options, excess, { minimum, horizonDays })
  const moves = parts.map(({ option, amount }): PlannedMove => {
    return {
      type: 'SUPPLY',
      strategyId: option.strategyId,
      strategyName: option.name,
      amount,
      worth: amount,
      why: `The amount is above the buffer, and ${option.name} earns most after gas.`,
    }
  })
  return { moves, weighed, notes: unallocated > 0n ? ['No strategy takes the rest.'] : [] }
}
