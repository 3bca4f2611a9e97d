import { sql } from 'kysely'
import { runSweep } from '../../database/index.ts'
import { addMilliseconds, OPERATIONS_SWEEP_BATCH } from '../../kernel/index.ts'
import { DEFAULT_TIMEOUTS, type Parts } from '../lifecycle/parts.ts'
import { advanceAgentWork } from '../lifecycle/transitions/advance-agent-work.ts'

/**
 * Puts agents' submitted transactions that no block includes back into the queue, on chains with nonces: the next poll
 * gets a replacement with the same nonce and effect and higher fees. A stuck transaction blocks its wallet, because every
 * later nonce waits for it. Returns how many there were.
 */
export async function offerStuckTransactions(parts: Pick<Parts, 'db' | 'clock' | 'log' | 'timeouts'>): Promise<number> {
  const { db, clock, timeouts = DEFAULT_TIMEOUTS } = parts
  if (timeouts.replaceAfterMs === 0) return 0
  const now = clock.now()
  const since = addMilliseconds(now, -timeouts.replaceAfterMs)
  const stuck = async (after: StuckRow | undefined) => {
    const { rows } = await sql<StuckRow>`
      select w.organization_id, w.transaction_id from agent_work w
      join transactions t on t.organization_id = w.organization_id and t.id = w.transaction_id
      where w.stage = 'sent' and w.transaction_id > ${after?.transaction_id ?? 0}
        -- A deferred replacement has no lease, and waits until then.
        and (w.leased_until is not null or w.available_at <= ${now})
        and t.state = 'pending' and t.can_still_land and t.block_number is null and t.nonce is not null
        and t.submitted_at <= ${since}
        and not exists (select from transaction_hashes h
          where h.organization_id = t.organization_id and h.transaction_id = t.id and h.created_at > ${since})
      order by w.transaction_id limit ${OPERATIONS_SWEEP_BATCH}
    `.execute(db)
    return rows
  }
  const reason = 'No block includes the transaction; an agent must send it with a higher fee.'
  return runSweep(parts, {
    job: 'offer stuck transactions again',
    pageSize: OPERATIONS_SWEEP_BATCH,
    page: stuck,
    keyOf: ({ transaction_id }) => String(transaction_id),
    // It may have landed meanwhile: then its work is done, and this changes nothing.
    work: async ({ organization_id: organizationId, transaction_id: transactionId }) => {
      await advanceAgentWork(db, { organizationId, transactionId }, { event: 'stuck', availableAt: now, reason })
    },
  })
}

interface StuckRow {
  readonly organization_id: number
  readonly transaction_id: number
}
