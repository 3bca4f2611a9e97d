import { addMilliseconds, ERASURE_BATCH, Failure } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import { TERMINAL_RAMP_STATUSES } from '../transactions/ramp-transaction-states.ts'
import { eraseRecipient } from './erase-customers.ts'

type RecipientErasureParts = Pick<RampParts, 'db' | 'clock' | 'fields' | 'log'>

/**
 * Erases recipients that were archived longer ago than `retentionMs`; a batch. Those with a payment under way are left
 * to a later run. Returns how many were erased.
 */
export async function eraseExpiredRecipients(parts: RecipientErasureParts, retentionMs: number): Promise<number> {
  const before = addMilliseconds(parts.clock.now(), -retentionMs)
  const recipients = await parts.db
    .selectFrom('ramp_customers')
    .select(['organization_id as organizationId', 'id as customerId'])
    .where('kind', '=', 'recipient')
    .where('archived_at', '<=', before)
    .where('erased_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ramp_transactions')
            .select('ramp_transactions.id')
            .whereRef('ramp_transactions.organization_id', '=', 'ramp_customers.organization_id')
            .whereRef('ramp_transactions.customer_id', '=', 'ramp_customers.id')
            .where('ramp_transactions.status', 'not in', TERMINAL_RAMP_STATUSES),
        ),
      ),
    )
    .orderBy('id')
    .limit(ERASURE_BATCH)
    .execute()
  let erased = 0
  for (const recipient of recipients) erased += await countErased(() => eraseRecipient(parts, recipient))
  if (erased > 0) parts.log.info({ erased }, 'erased personal data after its retention')
  return erased
}

async function countErased(erase: () => Promise<unknown>): Promise<number> {
  try {
    await erase()
    return 1
  } catch (error) {
    // A payment began meanwhile.
    if (error instanceof Failure && error.code === 'CONFLICT') return 0
    throw error
  }
}
