import { setTimeout as sleep } from 'node:timers/promises'
import { hasEndedDays } from '../allocations/index.ts'
import type { Database } from '../database/index.ts'
import { SANDBOX_SETTLE_POLL_INTERVAL_MS } from '../kernel/index.ts'
import { readCursor } from './cursor.ts'

/**
 * Waits until a block is settled in the ledger and the yield of the days before it is posted, by whichever process follows
 * the chain; at most `maxWaitMs`. Returns whether it is.
 */
export async function waitUntilSettled(
  db: Database,
  blockchain: string,
  blockNumber: number,
  maxWaitMs: number,
): Promise<boolean> {
  for (let waited = 0; waited <= maxWaitMs; waited += SANDBOX_SETTLE_POLL_INTERVAL_MS) {
    const cursor = await readCursor(db, blockchain)
    const isSettled = cursor !== undefined && cursor.final.number >= blockNumber
    if (isSettled && !(await hasEndedDays(db, blockchain))) return true
    await sleep(SANDBOX_SETTLE_POLL_INTERVAL_MS)
  }
  return false
}
