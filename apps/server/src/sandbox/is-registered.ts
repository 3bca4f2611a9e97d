import type { Database } from '../database/index.ts'

/** Whether any organization registered this address on the chain. Faults affect such wallets only (contract 13). */
export async function isRegistered(db: Database, blockchain: string, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('wallets')
    .select('id')
    .where('blockchain', '=', blockchain)
    .where('address', '=', address)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
