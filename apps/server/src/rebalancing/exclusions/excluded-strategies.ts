import type { OperationType } from '../../database/index.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import type { WalletState } from '../state/read-wallet-states.ts'
import { backoffMs } from './backoff.ts'
import { isStrategyFailure } from './strategy-failure.ts'

/** The strategies that moves of one wallet leave out at present, so that their refusal blocks no other. */
export interface ExcludedStrategies {
  /** As a text for people; `null`: the strategy is not left out. */
  reasonFor(type: OperationType, strategyId: number): string | null
  /** When the first of them is tried again; `undefined` if there is none. */
  nextRetry(type: OperationType): Date | undefined
}

interface Exclusion {
  readonly type: OperationType
  readonly strategyId: number
  readonly until: Date
  readonly reason: string
}

/**
 * What the refusals of planned moves and the operations that failed on the chain leave out. An aborted withdrawal leaves
 * its strategy out too: which one fills a buffer matters less than that one does. An aborted deployment does not: the
 * next best strategy may be much worse, and the pause ends soon. Pure.
 */
export function excludedStrategiesOf(
  wallet: Pick<WalletState, 'refused' | 'pastMoves'>,
  now: Date,
): ExcludedStrategies {
  const exclusions = [...wallet.refused.map(refusalExclusion), ...failureExclusions(wallet.pastMoves)].filter(
    ({ until }) => until > now,
  )
  const of = (type: OperationType) => exclusions.filter((exclusion) => exclusion.type === type)
  return {
    reasonFor: (type, strategyId) => of(type).find((exclusion) => exclusion.strategyId === strategyId)?.reason ?? null,
    nextRetry: (type) =>
      of(type).reduce<Date | undefined>((first, { until }) => (first && first < until ? first : until), undefined),
  }
}

function refusalExclusion({ type, strategyId, until, code, message }: WalletState['refused'][number]): Exclusion {
  return { type, strategyId, until, reason: `it refused a move until ${until.toISOString()} (${code}: ${message})` }
}

function failureExclusions(past: WalletState['pastMoves']): Exclusion[] {
  return [...Map.groupBy(past, ({ type, strategyId }) => `${type} ${strategyId}`).values()].flatMap((moves) => {
    const recovered = moves.findIndex((move) => !isStrategyFailure(move))
    const inARow = recovered === -1 ? moves.length : recovered
    const [last] = moves
    if (inARow === 0) return []
    const until = addMilliseconds(last!.endedAt, backoffMs(inARow))
    const reason = `its last move failed; it is tried again at ${until.toISOString()}`
    return [{ type: last!.type, strategyId: last!.strategyId, until, reason }]
  })
}
