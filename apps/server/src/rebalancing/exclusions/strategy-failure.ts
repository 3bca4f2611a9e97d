import type { PastMove } from '../state/read-wallet-states.ts'

/** Whether the end of an operation says something about its strategy only. */
export function isStrategyFailure({ type, state, failureReason }: PastMove): boolean {
  return (
    (type !== 'REVOKE' && state === 'FAILED' && failureReason === 'ONCHAIN') ||
    (type === 'UNWIND' && state === 'ABORTED' && failureReason === 'ABORTED')
  )
}
