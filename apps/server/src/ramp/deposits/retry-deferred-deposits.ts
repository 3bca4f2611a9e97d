import type { Chain } from '../../chains/index.ts'
import { holdsLease } from '../../database/index.ts'
import {
  addMilliseconds,
  DEFERRED_BLOCKS_BATCH,
  DEPOSIT_RETRY_MS,
  Failure,
  secondsBetween,
  withCleanup,
} from '../../kernel/index.ts'
import { deferBlock } from './defer-block.ts'
import { type DepositParts, recordBlock } from './record-inbound-deposits.ts'

/**
 * Records the deposits of blocks in which some could not be recorded, of a few blocks that are due. Error:
 * CHAIN_UNAVAILABLE, even for a block that a node lacks.
 */
export async function retryDeferredDeposits(parts: DepositParts, chain: Chain, signal: AbortSignal): Promise<void> {
  const { blockchain } = chain.network
  const due = await parts.db
    .selectFrom('ramp_deferred_blocks')
    .select('block_number')
    .where('blockchain', '=', blockchain)
    .where('next_attempt_at', '<=', parts.clock.now())
    .orderBy('next_attempt_at')
    .limit(DEFERRED_BLOCKS_BATCH)
    .execute()
  for (const { block_number: number } of due) {
    if (signal.aborted) return
    const failure = await recordAgain(parts, chain, number)
    if (failure) {
      await deferBlock(parts, blockchain, number, failure)
      continue
    }
    const ended = await parts.db
      .deleteFrom('ramp_deferred_blocks')
      .where('blockchain', '=', blockchain)
      .where('block_number', '=', number)
      // Without the lease, nothing was recorded either.
      .where(holdsLease(parts.db))
      .returning(['attempts as failures', 'since'])
      .executeTakeFirst()
    if (!ended) continue
    const { failures, since } = ended
    const seconds = secondsBetween(since, parts.clock.now())
    parts.log.info({ blockchain, blockNumber: number, failures, seconds }, 'recorded the deposits of a deferred block')
  }
}

/** Like {@link recordBlock}. After an infrastructure failure, the block is tried again after the others. */
async function recordAgain(parts: DepositParts, chain: Chain, number: number): Promise<Error | undefined> {
  try {
    const block = await chain.block(number)
    // It was final, so this node lags behind, or has forgotten it; another one may have it.
    if (block?.number !== number)
      throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`block ${number} is not available`) })
    return (await recordBlock(parts, chain, block)).failure
  } catch (error) {
    // Perhaps only this block cannot be read: the next call begins with another one.
    return withCleanup(
      () => Promise.reject(error),
      () =>
        parts.db
          .updateTable('ramp_deferred_blocks')
          .set({ next_attempt_at: addMilliseconds(parts.clock.now(), DEPOSIT_RETRY_MS.first) })
          .where('blockchain', '=', chain.network.blockchain)
          .where('block_number', '=', number)
          .where(holdsLease(parts.db))
          .execute(),
    )
  }
}
