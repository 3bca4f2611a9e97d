import { maxAmount, minAmount } from '../kernel/index.ts'
import { type StrategyEvaluation, type StrategyOption, splitAcrossStrategies } from './allocator.ts'

/** The position of an operational wallet in one strategy. Amounts in base units. */
export interface StrategyPosition {
  readonly strategyId: number
  readonly name: string
  /** Yearly rate as a decimal fraction. */
  readonly apy: number
  readonly value: bigint
  /** What the strategy can pay out now to anyone; `null` when unknown, which counts as enough. */
  readonly liquidity: bigint | null
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
  /** Minimum size of a deployment. */
  readonly floor: bigint
  /** A smaller shortfall is ignored. */
  readonly dust: bigint
  readonly horizonDays: number
}

export interface PlannedMove {
  readonly type: 'SUPPLY' | 'UNWIND'
  readonly strategyId: number
  readonly strategyName: string
  /** Base units; `null`: the whole position. */
  readonly amount: bigint | null
  /** Base units that the move transfers. */
  readonly worth: bigint
  readonly why: string
}

export interface RebalancePlan {
  /** In the order of execution, one after another. */
  readonly moves: readonly PlannedMove[]
  /** The amount above the buffer that is not on hold. */
  readonly excess: bigint
  /** The amount that the buffer lacks. */
  readonly shortfall: bigint
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
  const { available, buffer, onHold, dust } = situation
  const shortfall = maxAmount(buffer - available, 0n)
  const excess = maxAmount(available - buffer - onHold, 0n)
  const nothing = { excess, shortfall, weighed: [] }
  if (shortfall > 0n) {
    if (shortfall < dust)
      return { ...nothing, moves: [], notes: ['The buffer lacks too little to be worth a transaction.'] }
    return { ...nothing, ...refillBuffer(situation, shortfall) }
  }
  return { ...nothing, ...deployExcess(situation, excess) }
}

/** Withdraws from the strategies that earn least first, as far as each can pay now. */
function refillBuffer({ holdings, dust }: PlannerInput, shortfall: bigint): Pick<RebalancePlan, 'moves' | 'notes'> {
  const moves: PlannedMove[] = []
  const notes: string[] = []
  let missing = shortfall
  for (const holding of [...holdings].sort((a, b) => a.apy - b.apy || a.strategyId - b.strategyId)) {
    if (missing === 0n) break
    const { strategyId, name, value, liquidity } = holding
    if (value === 0n) continue
    const payable = liquidity === null ? value : minAmount(value, liquidity)
    if (payable < value && payable < missing) notes.push(`${name} can pay out only part of the position now.`)
    // Amounts that become liquid bit by bit are not withdrawn bit by bit, each with a transaction of its own.
    if (payable === 0n || (payable < value && payable < minAmount(missing, dust))) continue
    const worth = minAmount(missing, payable)
    const isWhole = worth === value
    moves.push({
      type: 'UNWIND',
      strategyId,
      strategyName: name,
      amount: isWhole ? null : worth,
      worth,
      why: 'The buffer needs it, and this strategy earns least of those with a position.',
    })
    missing -= worth
  }
  if (missing > 0n) notes.push('The positions, or what they can pay out now, do not fill the buffer.')
  return { moves, notes }
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
