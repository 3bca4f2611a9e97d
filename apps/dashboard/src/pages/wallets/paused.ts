import type { Schema } from '../../api/types.ts'

type Ended = Pick<Schema<'OperationHistoryItem'>, 'type' | 'status' | 'origin'>

const WHY: Readonly<Record<string, string>> = {
  REJECTED: 'was rejected',
  FAILED: 'failed',
  ABORTED: 'was aborted',
}

/** The move for which Weir pauses: of those that ended last, newest first, the first that was its own and of this type. */
export const pausedAfter = <T extends Ended>(ended: readonly T[], type: string | undefined): T | undefined =>
  ended.find((each) => each.origin === 'rebalancer' && (type === undefined || each.type === type))

/** How that move ended; as the service says it, if it is not among those that were read, or had an effect. */
export const endOf = (move: Ended | undefined): string => (move && WHY[move.status]) ?? 'was rejected or failed'
