import { inTransaction } from '../../database/index.ts'
import { addMilliseconds, DEPOSIT_RETRY_MS } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'

/** When something that failed so often is tried again, with a longer delay after each failure. */
export function nextAttemptAt(now: Date, attempts: number): Date {
  return addMilliseconds(now, Math.min(DEPOSIT_RETRY_MS.first * 2 ** (attempts - 1), DEPOSIT_RETRY_MS.max))
}

/** Records that the deposits of a block are to be recorded again. Throws LeaseLostError. */
export async function deferBlock(
  { db, clock, log }: Pick<RampParts, 'db' | 'clock' | 'log'>,
  blockchain: string,
  blockNumber: number,
  failure: Error,
): Promise<void> {
  const at = clock.now()
  const known = await inTransaction(db, async (tx) => {
    const before = await tx
      .selectFrom('ramp_deferred_blocks')
      .select(['attempts', 'error'])
      .where('blockchain', '=', blockchain)
      .where('block_number', '=', blockNumber)
      .executeTakeFirst()
    const attempts = (before?.attempts ?? 0) + 1
    const latest = { attempts, next_attempt_at: nextAttemptAt(at, attempts), error: failure.message }
    await tx
      .insertInto('ramp_deferred_blocks')
      .values({ blockchain, block_number: blockNumber, since: at, ...latest })
      .onConflict((conflict) => conflict.columns(['blockchain', 'block_number']).doUpdateSet(latest))
      .execute()
    return before
  })
  if (known?.error !== failure.message)
    log.error({ err: failure, blockchain, blockNumber }, 'failed to record a deposit; its block is retried later')
}
