import { maxAmount, minAmount } from '../../kernel/index.ts'
import { WITHDRAWAL_WAITS } from '../awaited/awaited-withdrawal.ts'
import { splitAcrossStrategies } from './allocator.ts'
import { isCrumbOf, largestFirst, largestOf } from './crumbs.ts'
import { noteOf, type PayablePosition, payableNow, requestable, sourceOf, unwindOf } from './payable-positions.ts'
import { type FundsInTransit, type PlannedMove, planClaims } from './plan-claims.ts'
import { planEvacuation, withWaiting } from './plan-evacuation.ts'
import { awaitedOf, planRequested } from './plan-requested.ts'
import type { PlannedWithdrawals, PlannerInput, RebalancePlan } from './rebalance-plan.ts'

/**
 * Plans the moves that keep a wallet's buffer full and nothing else idle (contract 10). What can be claimed goes first,
 * then what people requested, what is to leave its position, and the buffer; crumbs of any of these give way to it. Pure.
 * While people decide about one of the first, only the buffer is seen to. A plan never deploys part of the buffer. After its moves are carried out there is nothing left to plan: a deployment
 * leaves exactly the buffer, and an unwind withdraws no more than the shortfall.
 */
export function planMoves(situation: PlannerInput): RebalancePlan {
  const { available, buffer, onHold, exits } = situation
  const shortfall = maxAmount(buffer - available, 0n)
  const amounts = { excess: maxAmount(available - buffer - onHold, 0n), shortfall }
  const nothing = { ...amounts, weighed: [], awaited: 0n, later: 0n, sources: [] }
  if (situation.isRefillOnly) return planRefillNow(situation, amounts) ?? { ...nothing, moves: [], notes: [] }
  const { claims, crumbs } = planClaims(situation)
  const { endsOne, ...requested } = planRequested(situation)
  const evacuation = planEvacuation(situation)
  const rest = withNotesOf(exits, planWithoutEvacuation(situation, amounts))
  const largest = [claims, requested.moves, evacuation.moves, refillsOf(rest, situation)].map(largestOf)
  const givesWay = (moves: readonly PlannedMove[]) => largest.some((other) => isCrumbOf(largestOf(moves), other))
  if (claims.length > 0 && !givesWay(claims)) return { ...nothing, moves: claims, notes: [] }
  if (requested.moves.length > 0 && (endsOne || !givesWay(requested.moves))) return { ...nothing, ...requested }
  if (evacuation.moves.length > 0 && !givesWay(evacuation.moves))
    return withWaiting({ ...amounts, weighed: [], ...evacuation }, requested)
  const planned = withWaiting(withWaiting(rest, evacuation), requested)
  return planned.moves.length === 0 ? { ...planned, moves: crumbs } : planned
}

/** What others may give way to: neither a deposit nor what people rejected. */
const refillsOf = ({ moves }: RebalancePlan, { isRefillRejected }: PlannerInput): readonly PlannedMove[] =>
  isRefillRejected ? [] : moves.filter(({ type }) => type === 'UNWIND')

/** Says why what could be claimed is not. */
function withNotesOf(exits: PlannerInput['exits'], planned: RebalancePlan): RebalancePlan {
  const held = exits.filter(({ claimable, excluded }) => claimable > 0n && excluded !== null)
  return { ...planned, notes: [...held.map(({ name, excluded }) => `${name}: ${excluded}.`), ...planned.notes] }
}

/**
 * A refill that positions which are to stay can begin to pay at once; `undefined`: there is none. The others count in what
 * is to follow: the approval policy judges the whole shortfall.
 */
function planRefillNow(
  situation: PlannerInput,
  amounts: Pick<RebalancePlan, 'excess' | 'shortfall'>,
): RebalancePlan | undefined {
  const holdings = situation.holdings.map((holding) =>
    holding.evacuate === undefined ? holding : { ...holding, excluded: holding.excluded ?? 'all of it is to leave' },
  )
  const isPayable = holdings.some((holding) => payableNow(holding, situation.dust) > 0n)
  const refill =
    isPayable && amounts.shortfall > 0n ? planWithoutEvacuation({ ...situation, holdings }, amounts) : undefined
  return refill?.moves.length ? refill : undefined
}

function planWithoutEvacuation(
  situation: PlannerInput,
  { excess, shortfall }: Pick<RebalancePlan, 'excess' | 'shortfall'>,
): RebalancePlan {
  const nothing = { excess, shortfall, weighed: [], awaited: 0n, later: 0n, sources: [] }
  const { dust } = situation
  if (shortfall > 0n) {
    if (shortfall < dust)
      return { ...nothing, moves: [], notes: ['The buffer is short by too little to be worth a transaction.'] }
    return { ...nothing, ...refillBuffer(situation, shortfall) }
  }
  return { ...nothing, ...deployExcess(situation, excess) }
}

const costOf = ({ exitFee }: PlannerInput['holdings'][number]): number => (exitFee === undefined ? 0 : 1)

/**
 * Withdraws from the strategies that earn least first, as far as each can pay now; from those that keep a part of it only
 * what no other can pay. Crumbs of the shortfall come last: a strategy may pay bit by bit, and anybody can send a wallet a
 * little of a position. Less than dust is withdrawn only if the buffer cannot be filled without it.
 */
function refillBuffer({ holdings, exits, dust }: PlannerInput, shortfall: bigint): PlannedWithdrawals {
  const payers = [...holdings]
    .filter(({ value }) => value > 0n)
    .sort((a, b) => costOf(a) - costOf(b) || a.apy - b.apy || a.strategyId - b.strategyId)
    .map((holding): PayablePosition => ({ holding, payable: payableNow(holding, dust) }))
  const isCrumb = ({ payable }: PayablePosition) => payable < dust || isCrumbOf(payable, shortfall)
  const sum = (some: readonly PayablePosition[]) => some.reduce((total, { payable }) => total + payable, 0n)
  const crumbs = largestFirst(payers.filter(isCrumb), 'payable')
  const inTurn = [...payers.filter((payer) => !isCrumb(payer)), ...crumbs]
  const worthIt = inTurn.filter(({ payable }) => payable >= dust)
  const needsDust = sum(worthIt) < shortfall && sum(inTurn) >= shortfall
  const aside = crumbs.some(({ payable }) => payable > 0n) ? ', small amounts aside' : ''
  const moves: PlannedMove[] = []
  let missing = shortfall
  for (const payer of needsDust ? inTurn : worthIt) {
    const { holding, payable } = payer
    const worth = minAmount(missing, payable)
    if (worth === 0n) continue
    const why = isCrumb(payer)
      ? 'The buffer needs it, and cannot be filled without small amounts.'
      : moves.length === 0
        ? `The buffer needs it, and this strategy earns the least of those that can pay now${aside}.`
        : `The buffer needs it beyond what strategies that earn no more can pay now${aside}.`
    moves.push(unwindOf(holding, { worth, purpose: 'refill', why }))
    missing -= worth
  }
  const requested = requestMoves({ payers, exits, dust }, missing)
  moves.push(...requested.moves)
  const onItsWay = exits.reduce((total, { pending, claimable }) => total + pending + claimable, 0n)
  const notes = payers
    .filter(({ holding, payable }) => missing > 0n && payable < holding.value)
    .map(({ holding }) => noteOf(holding))
  if (missing > 0n && onItsWay > 0n) notes.push('Money that was requested back is on its way.')
  if (missing > 0n) notes.push('The positions, or what they can pay out now, do not fill the buffer.')
  const locked = payers.reduce((total, { holding }) => total + holding.value, 0n) - (shortfall - missing)
  const asked = requested.moves.reduce((total, { worth }) => total + worth, 0n)
  const later = minAmount(requested.needed, locked - asked)
  return {
    moves,
    notes,
    awaited: minAmount(missing, locked + onItsWay),
    later: later < dust ? 0n : later,
    sources: payers.map(sourceOf),
  }
}

/**
 * Requests what no strategy can pay now from those that pay later: crumbs last, and no dust. What is on its way counts, so
 * that nothing is requested twice; a claim that is left out at present may never arrive, and does not. `needed`: what
 * nobody is asked for yet.
 */
function requestMoves(
  { payers, exits, dust }: Pick<PlannerInput, 'exits' | 'dust'> & { readonly payers: readonly PayablePosition[] },
  missing: bigint,
): { readonly moves: readonly PlannedMove[]; readonly needed: bigint } {
  const expected = (exit: FundsInTransit) => exit.pending + (exit.excluded === null ? exit.claimable : 0n)
  let needed = exits.reduce((rest, exit) => rest - expected(exit), missing)
  const moves: PlannedMove[] = []
  const possible = payers.map(({ holding }) => ({ holding, amount: requestable(holding, { exits, dust }) }))
  const [crumbs, large] = [true, false].map((isCrumb) =>
    possible.filter(({ amount }) => isCrumbOf(amount, missing) === isCrumb),
  )
  for (const { holding, amount } of [...large!, ...crumbs!]) {
    const worth = minAmount(needed, amount)
    if (worth < dust) continue
    const why = 'The buffer needs it, and no strategy can pay it now: it is requested, and claimed as soon as possible.'
    moves.push(unwindOf(holding, { worth, purpose: 'refill', why }))
    needed -= worth
  }
  return { moves, needed: maxAmount(needed, 0n) }
}

function deployExcess(
  situation: PlannerInput,
  excess: bigint,
): Pick<RebalancePlan, 'moves' | 'notes' | 'weighed' | 'later'> {
  const { enableYield, onHold, floor: minimum, options, holdings, horizonDays } = situation
  const none = (note: string) => ({ moves: [], notes: [note], weighed: [], later: 0n })
  if (!enableYield) return none('Yield is switched off for this wallet.')
  if (excess === 0n) {
    return none(onHold > 0n ? 'The amount above the buffer was withdrawn on request.' : 'Nothing is above the buffer.')
  }
  if (excess < minimum) return none('The amount above the buffer is too small to be worth a transaction.')
  const open = options.map((option) => ({ ...option, excluded: option.excluded ?? waitingFor(holdings, option) }))
  const { parts, weighed, unallocated } = splitAcrossStrategies(open, excess, { minimum, horizonDays })
  const moves = parts.map(({ option, amount }): PlannedMove => {
    const others = option.strategyId === weighed[0]?.strategyId ? '' : ' of those that take it'
    return {
      type: 'SUPPLY',
      strategyId: option.strategyId,
      strategyName: option.name,
      amount,
      worth: amount,
      purpose: 'deployment',
      why: `The amount is above the buffer, and ${option.name} earns the most after gas${others}.`,
    }
  })
  const notes = unallocated > 0n ? ['No strategy accepts the rest.'] : []
  return { moves, weighed, notes, later: unallocated < minimum ? 0n : unallocated }
}

function waitingFor(
  holdings: PlannerInput['holdings'],
  { strategyId }: PlannerInput['options'][number],
): string | null {
  const waits = holdings.some((holding) => holding.strategyId === strategyId && awaitedOf(holding) !== undefined)
  return waits ? WITHDRAWAL_WAITS : null
}
