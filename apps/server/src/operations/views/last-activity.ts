import type { Database } from '../../database/index.ts'

/** When the newest operation of an organization, or of one of its wallets, last changed; `null` if there is none. */
export async function lastActivity(db: Database, organizationId: number, walletId?: number): Promise<Date | null> {
  let query = db.selectFrom('operations').select('updated_at').where('organization_id', '=', organizationId)
  if (walletId !== undefined) query = query.where('wallet_id', '=', walletId)
  return (await query.orderBy('id', 'desc').limit(1).executeTakeFirst())?.updated_at ?? null
}
