import { type RawBuilder, sql } from 'kysely'

/**
 * A subquery of an organization's entries that were posted as external and turned out to be an operation's: `entry_id`,
 * and `amount`, the signed base units that came back to `available` (`operations/settlement/reconciliation/reclassify.ts`).
 */
export const reclassifiedEntries = (organizationId: RawBuilder<number>) => sql`(
  select split_part(e.source, ':', 3)::bigint as entry_id, sum(p.amount) as amount
  from ledger_entries e
  join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id and p.account = 'available'
  where e.organization_id = ${organizationId} and e.kind = 'reclassification' group by 1)`
