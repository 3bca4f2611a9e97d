import { maxAmount, minAmount } from '../../kernel/index.ts'
import { splitAcrossStrategies, WITHDRAWAL_WAITS } from './allocator.ts'
import { noteOf, type PayablePosition, payableNow, requestable, sourceOf, unwindOf } from './payable-positions.ts'
import { type PlannedMove, planClaims } from './plan-claims.ts'
import { planEvacuation, withWaiting } from './plan-evacuation.ts'
import { awaitedOf, planRequested } from './plan-requested.ts'
import type { PlannerInput, RebalancePlan } from './rebalance-plan.ts'

/**
 * Plans the moves that keep a wallet's buffer full and nothing else idle (contract 10). What people requested, and what is
 * to leave its position, goes before the buffer. Pure. A plan never deploys part of the buffer. After its moves are carried out there is nothing left to plan: a deployment leaves exactly the buffer,
 * and an unwind withdraws no more than the shortfall.
 */
export function planMoves(situation: PlannerInput): RebalancePlan {
  const { available, buffer, onHold } = situation
  const shortfall = maxAmount(buffer - available, 0n)
  const excess = maxAmount(available - buffer - onHold, 0n)
  const nothing = { excess, shortfall, weighed: [], awaited: 0n, sources: [] }
  const { claims, crumbs } = planClaims(situation)
  if (claims.length > 0) return { ...nothing, moves: claims, notes: [] }
  const requested = planRequested(situation)
  if (requested.moves.length > 0) return { ...nothing, ...requested }
  const planned = withWaiting(planOwnMoves(situation, { excess, shortfall }), requested)
  return planned.moves.length === 0 && crumbs.length > 0 ? { ...planned, moves: crumbs } : planned
}

/** The moves that nobody requested, other than claims. */
function planOwnMoves(situation: PlannerInput, amounts: Pick<RebalancePlan, 'excess' | 'shortfall'>): RebalancePlan {
  const evacuation = planEvacuation(situation)
  if (evacuation.moves.length > 0) return { ...amounts, weighed: [], ...evacuation }
  return withWaiting(withNotesOf(situation.exits, planWithoutEvacuation(situation, amounts)), evacuation)
}

/** Says why what could be claimed is not. */
function withNotesOf(exits: PlannerInput['exits'], planned: RebalancePlan): RebalancePlan {
  const held = exits.filter(({ claimable, excluded }) => claimable > 0n && excluded !== null)
  return { ...planned, notes: [...held.map(({ name, excluded }) => `${name}: ${excluded}.`), ...planned.notes] }
}

function planWithoutEvacuation(
  situation: PlannerInput,
  { excess, shortfall }: Pick<RebalancePlan, 'excess' | 'shortfall'>,
): RebalancePlan {
  const nothing = { excess, shortfall, weighed: [], awaited: 0n, sources: [] }
  const { dust } = situation
  if (shortfall > 0n) {
    if (shortfall < dust)
      return { ...nothing, moves: [], notes: ['The buffer is short by too little to be worth a transaction.'] }
    return { ...nothing, ...refillBuffer(situation, shortfall) }
  }
  return { ...nothing, ...deployExcess(situation, excess) }
}

const costOf = ({ exitFee }: PlannerInput['holdings'][number]): number => (exitFee === undefined ? 0 : 1)

type Refill = Pick<RebalancePlan, 'moves' | 'notes' | 'awaited' | 'sources'>

/**
 * Withdraws from the strategies that earn least first, as far as each can pay now; from those that keep a part of it only
 * what no other can pay. Amounts that become liquid bit by bit
 * are not withdrawn bit by bit, each with a transaction of its own, unless the buffer cannot be filled without them.
 */
function refillBuffer({ holdings, exits, dust }: PlannerInput, shortfall: bigint): Refill {
  const payers = [...holdings]
    .filter(({ value }) => value > 0n)
    .sort((a, b) => costOf(a) - costOf(b) || a.apy - b.apy || a.strategyId - b.strategyId)
    .map((holding): PayablePosition => ({ holding, payable: payableNow(holding, dust) }))
  const isCrumb = ({ holding, payable }: PayablePosition) =>
    payable < holding.value && payable < minAmount(shortfall, dust)
  const sum = (some: readonly PayablePosition[]) => some.reduce((total, { payable }) => total + payable, 0n)
  const large = payers.filter((payer) => !isCrumb(payer))
  const crumbs = payers.filter(isCrumb).sort((a, b) => (a.payable === b.payable ? 0 : a.payable > b.payable ? -1 : 1))
  const needsCrumbs = sum(large) < shortfall && sum(payers) >= shortfall
  const aside = crumbs.some(({ payable }) => payable > 0n) ? ', small amounts aside' : ''
  const moves: PlannedMove[] = []
  let missing = shortfall
  for (const payer of needsCrumbs ? [...large, ...crumbs] : large) {
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
  { payers, exits, dust }: Pick<PlannerInput, 'exits' | 'dust'> & { readonly payers: readonly PayablePosition[] },
  missing: bigint,
): PlannedMove[] {
  let needed = exits.reduce((rest, { pending, claimable }) => rest - pending - claimable, missing)
  const moves: PlannedMove[] = []
  for (const { holding } of payers) {
    const worth = minAmount(needed, requestable(holding, { exits, dust }))
    if (needed < dust || worth <= 0n) continue
    const why = 'The buffer needs it, and no strategy can pay it now: it is requested, and claimed as soon as possible.'
    moves.push(unwindOf(holding, { worth, purpose: 'refill', why }))
    needed -= worth
  }
  return moves
}

function deployExcess(situation: PlannerInput, excess: bigint): Pick<RebalancePlan, 'moves' | 'notes' | 'weighed'> {
  const { enableYield, onHold, floor: minimum, options, holdings, horizonDays } = situation
  const none = (note: string) => ({ moves: [], notes: [note], weighed: [] })
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
  return { moves, weighed, notes: unallocated > 0n ? ['No strategy accepts the rest.'] : [] }
}

function waitingFor(
  holdings: PlannerInput['holdings'],
  { strategyId }: PlannerInput['options'][number],
): string | null {
  const waits = holdings.some((holding) => holding.strategyId === strategyId && awaitedOf(holding) !== undefined)
  return waits ? WITHDRAWAL_WAITS : null
}
