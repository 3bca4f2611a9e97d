import type { Database, KybStatus, Tx } from '../../database/index.ts'

/**
 * What the provider last said about a verification, by message or by reading. It differs from the customer's status
 * after a restart that the provider continues under the same reference, until it says something else.
 */
export async function lastReportedStatus(
  db: Database | Tx,
  provider: string,
  subject: string,
): Promise<KybStatus | undefined> {
  const row = await db
    .selectFrom('ramp_provider_events')
    .select('status')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .where('outcome', '=', 'applied')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.status as KybStatus | undefined
}
