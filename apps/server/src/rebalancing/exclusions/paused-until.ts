import { addMilliseconds } from '../../kernel/index.ts'
import { kindOf, type MoveKind } from '../planner/plan-claims.ts'
import type { PastMove } from '../state/read-wallet-states.ts'
import { backoffMs } from './backoff.ts'
import { type MoveContext, type PauseFacts, rejectedUntil } from './rejections.ts'
import { isAgentFailure, isStrategyFailure } from './strategy-failure.ts'

export interface Pause {
  readonly until: Date
  /** As a text for people. */
  readonly reason: string
  /** A change of the catalogue may end it earlier. */
  readonly isRejection: boolean
}

/**
 * Why and until when a move is not planned for an operational wallet; `undefined`: it may be planned, even after every
 * change of the buffer or the yield switch. What says something about one strategy only is left to
 * excluded-strategies.ts. Paused deployments never delay a refill of the buffer, or the reverse. Pure.
 */
export function pausedUntil(
  facts: PauseFacts,
  move: Pick<PastMove, 'type' | 'purpose' | 'strategyId'>,
  context: MoveContext,
): Pause | undefined {
  const { now } = context
  const rejected = rejectedUntil(facts, move, context)
  if (rejected)
    return { until: rejected, reason: `The last such move was rejected. ${again(rejected)}`, isRejection: true }
  const kind = kindOf(move)
  const failed = failedUntil(facts, kind)
  if (failed && failed > now)
    return { until: failed, reason: `The last such move failed. ${again(failed)}`, isRejection: false }
  const refused = refusedByAgentsUntil(facts, kind)
  if (refused && refused > now) {
    const reason = `An agent refused the last moves of several strategies. ${again(refused)}`
    return { until: refused, reason, isRejection: false }
  }
  return undefined
}

const again = (until: Date): string => `The next one is planned after ${until.toISOString()}.`

/** After failures of the wallet's own. */
function failedUntil({ pastMoves, opWallet }: PauseFacts, kind: MoveKind): Date | undefined {
  const past = pastMoves.filter((move) => kindOf(move) === kind && !isStrategyFailure(move))
  const [last] = past
  if (!last || last.plannedAt <= opWallet.updatedAt) return undefined
  const failures = past.findIndex(({ state }) => state !== 'FAILED' && state !== 'ABORTED')
  const inARow = failures === -1 ? past.length : failures
  return inARow === 0 ? undefined : addMilliseconds(last.endedAt, backoffMs(inARow))
}

/**
 * An agent that refuses moves of two strategies in a row may refuse every move: its signer is down, a limit is reached, it
 * does not know the wallet. So the next strategies are asked one by one, each after a longer pause, instead of all at
 * once. A move that reached the chain shows that the agent signs.
 */
function refusedByAgentsUntil({ pastMoves, opWallet }: PauseFacts, kind: MoveKind): Date | undefined {
  const telling = pastMoves.filter(
    (move) =>
      kindOf(move) === kind &&
      move.plannedAt > opWallet.updatedAt &&
      (move.state === 'COMPLETED' || (move.state === 'FAILED' && isStrategyFailure(move))),
  )
  const signed = telling.findIndex((move) => !isAgentFailure(move))
  const row = signed === -1 ? telling : telling.slice(0, signed)
  if (new Set(row.map(({ strategyId }) => strategyId)).size < 2) return undefined
  return addMilliseconds(row[0]!.endedAt, backoffMs(row.length - 1))
}
