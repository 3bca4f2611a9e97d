import type { Schema } from '../../api/types.ts'
import { ratio } from '../../lib/money/money.ts'
import { counted } from '../../lib/text/counted.ts'

interface Success {
  readonly failed: number
  /** Completed ones of those that completed or failed. */
  readonly rate: string
  /** What is counted as neither, in words. */
  readonly besides: string
}

/** How many operations failed. What people rejected or cancelled, or Weir gave up before it moved anything, did not. */
export function successOf({
  completedOperations,
  failedOperations,
  rejectedOperations = 0,
  abortedOperations = 0,
}: Pick<
  Schema<'OperationStats'>,
  'completedOperations' | 'failedOperations' | 'rejectedOperations' | 'abortedOperations'
>): Success {
  const failed = failedOperations - rejectedOperations - abortedOperations
  const besides = [
    rejectedOperations > 0 && `${rejectedOperations} rejected`,
    abortedOperations > 0 && `${abortedOperations} aborted or cancelled`,
  ].filter(Boolean)
  return {
    failed,
    rate: ratio(BigInt(completedOperations), BigInt(completedOperations + failed)),
    besides: besides.length === 0 ? ' ' : `without ${besides.join(' and ')}`,
  }
}

export const rateNote = (
  { completedOperations }: Pick<Schema<'OperationStats'>, 'completedOperations'>,
  failed: number,
) => `of ${counted(completedOperations + failed, 'operation')} that completed or failed`
