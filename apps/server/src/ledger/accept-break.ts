import { sql } from 'kysely'
import { type Database, insertEventsSql, type Transact, transactOn } from '../database/index.ts'
import { type Clock, Failure, type Log } from '../kernel/index.ts'
import { eventsSql } from './breaks.ts'
import { findBreak, type ListedBreak } from './list-breaks.ts'

interface Acceptance {
  readonly organizationId: number
  readonly breakId: number
  readonly userId: number
  /** Why the difference is acceptable, in the words of a person. */
  readonly reason: string
}

/**
 * Accepts the present amount of an open break: it no longer counts as open, until it grows. The ledger does not change;
 * the break closes when ledger and chain agree. Emits `break.accepted`. Errors: NOT_FOUND; CONFLICT if it is closed or
 * already accepted.
 */
export async function acceptBreak(
  parts: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  { organizationId, breakId, userId, reason }: Acceptance,
  transact: Transact<ListedBreak> = transactOn(parts.db),
): Promise<ListedBreak> {
  const accepted = await transact(async (tx) => {
    const at = parts.clock.now()
    // A settlement that measures the break meanwhile would not see the acceptance, and would open the break again
    // without the event.
    await sql`
      select from wallets
      where organization_id = ${organizationId}
        and id = (select wallet_id from ledger_breaks where organization_id = ${organizationId} and id = ${breakId})
      for update
    `.execute(tx)
    const { rows } = await sql`
      with changed as (
        update ledger_breaks set accepted_at = ${at}, accepted_by = ${userId}, accepted_reason = ${reason},
          accepted_amount = amount
        where organization_id = ${organizationId} and id = ${breakId} and closed_at is null and accepted_at is null
        returning *
      )
      ${insertEventsSql(eventsSql('break.accepted', at))} returning id
    `.execute(tx)
    const found = await findBreak(tx, organizationId, breakId)
    if (rows.length > 0) return found
    throw new Failure('CONFLICT', {
      message:
        found.status === 'closed' ? 'The break is closed: ledger and chain agree.' : 'The break was already accepted.',
    })
  })
  // Not the reason: it is a person's text.
  const { walletId, blockchain, walletAddress: address, tokenAddress } = accepted
  const where = { organizationId, breakId, walletId, blockchain, address, tokenAddress }
  parts.log.info({ ...where, userId }, 'a person accepted a break')
  return accepted
}
