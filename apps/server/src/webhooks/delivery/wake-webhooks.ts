import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'

/** Makes these webhooks due, after any pause of their endpoints. The caller holds the row locks. */
export async function wakeWebhooks(
  tx: Tx,
  webhooks: readonly { readonly organizationId: number; readonly webhookId: number }[],
  at: Date,
): Promise<void> {
  if (webhooks.length === 0) return
  const organizations = webhooks.map(({ organizationId }) => organizationId)
  const ids = webhooks.map(({ webhookId }) => webhookId)
  await sql`
    update webhooks set due_at = greatest(${at}, paused_until)
    where (organization_id, id) in (select * from unnest(${organizations}::bigint[], ${ids}::bigint[]))
      and (due_at is null or due_at > greatest(${at}, paused_until))
  `.execute(tx)
}
