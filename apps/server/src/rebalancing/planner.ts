import { maxAmount, minAmount } from '../kernel/index.ts'
import { type StrategyEvaluation, type StrategyOption, splitAcrossStrategies } from './allocator.ts'

/** What an operational wallet has in one strategy. Amounts in base units. */
export interface StrategyPosition {
  readonly strategyId: number
  readonly name: string
  /** Decimal fraction. */
  readonly apy: number
  readonly value: bigint
  /** What the strategy can pay out to anybody now; `null`: not known, so taken as enough. */
  readonly liquidity: bigint | null
}

/** Everything that decides what an operational wallet's money should do. Amounts in base units of its token. */
export interface PlannerInput {
  /** What the chain shows, less what is held back for operations. */
  readonly available: bigint
  /** The least that stays liquid. */
  readonly buffer: bigint
  /** What an explicit withdrawal brought back and is not to be deployed again yet. */
  readonly onHold: bigint
  readonly enableYield: boolean
  readonly options: readonly StrategyOption[]
  readonly holdings: readonly StrategyPosition[]
  /** Deployments below it are not worth a transaction. */
  readonly floor: bigint
  /** A buffer that is short by less is left alone. */
  readonly dust: bigint
  readonly horizonDays: number
}

export interface PlannedMove {
  readonly type: 'SUPPLY' | 'UNWIND'
  readonly strategyId: number
  readonly strategyName: string
  /** Base units; `null`: the whole position. */
  readonly amount: bigint | null
  /** What it moves, in base units. */
  readonly worth: bigint
  readonly why: string
}

export interface RebalancePlan {
  /** In the order in which they are carried out, one after the other. */
  readonly moves: readonly PlannedMove[]
  /** Above the buffer and not held. */
  readonly excess: bigint
  /** Missing in the buffer. */
  readonly shortfall: bigint
  /** Why there is no move, or why not more of them. */
  readonly notes: readonly string[]
  /** How the allocator weighed each strategy; empty for unwinds. */
  readonly weighed: readonly StrategyEvaluation[]
}

/**
 * What should move so that a wallet keeps its buffer and nothing idle beyond it (contract 10). Pure. It never plans
 * below the buffer, and where its moves have been made it plans nothing more: a deployment leaves exactly the buffer,
 * an unwind brings back no more than is missing.
 */
export function planMoves(situation: PlannerInput): RebalancePlan {
  const { available, buffer, onHold, dust } = situation
  const shortfall = maxAmount(buffer - available, 0n)
  const excess = maxAmount(available - buffer - onHold, 0n)
  const nothing = { excess, shortfall, weighed: [] }
  if (shortfall > 0n) {
    if (shortfall < dust)
      return { ...nothing, moves: [], notes: ['The buffer is short by less than is worth a transaction.'] }
    return { ...nothing, ...refillBuffer(situation, shortfall) }
  }
  return { ...nothing, ...deployExcess(situation, excess) }
}

/** Out of the strategies that earn least first, as far as each can pay now. */
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
    // What trickles back into a strategy is not fetched crumb by crumb, each with a transaction of its own.
    if (payable === 0n || (payable < value && payable < minAmount(missing, dust))) continue
    const worth = minAmount(missing, payable)
    const isWhole = worth === value
    moves.push({
      type: 'UNWIND',
      strategyId,
      strategyName: name,
      amount: isWhole ? null : worth,
      worth,
      why: 'The buffer needs it, and of what is deployed this earns least.',
    })
    missing -= worth
  }
  if (missing > 0n) notes.push('What is deployed, or can be paid out now, does not fill the buffer.')
  return { moves, notes }
}

function deployExcess(situation: PlannerInput, excess: bigint): Pick<RebalancePlan, 'moves' | 'notes' | 'weighed'> {
  const { enableYield, onHold, floor: minimum, options, horizonDays } = situation
  const none = (note: string) => ({ moves: [], notes: [note], weighed: [] })
  if (!enableYield) return none('Yield is switched off for this wallet.')
  if (excess === 0n) {
    return none(onHold > 0n ? 'What is above the buffer was withdrawn on purpose.' : 'Nothing is above the buffer.')
  }
  if (excess < minimum) return none('What is above the buffer is too little to be worth a transaction.')
  const { parts, weighed, unallocated } = splitAcrossStrategies(options, excess, { minimum, horizonDays })
  const moves = parts.map(({ option, amount }): PlannedMove => {
    return {
      type: 'SUPPLY',
      strategyId: option.strategyId,
      strategyName: option.name,
      amount,
      worth: amount,
      why: `Above the buffer; ${option.name} earns most after gas of the strategies that take it.`,
    }
  })
  return { moves, weighed, notes: unallocated > 0n ? ['No strategy takes the rest.'] : [] }
}
