import type { Database } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { type Erasure, erasureFrom, receiptHash } from './erasure.ts'

/** The erasure that a receipt was issued for. Error: NOT_FOUND. */
export async function findErasure(parts: { readonly db: Database }, receipt: string): Promise<Erasure> {
  const row = await parts.db
    .selectFrom('organization_erasures')
    .selectAll()
    .where('receipt_hash', '=', receiptHash(receipt))
    .executeTakeFirst()
  if (row === undefined) throw new Failure('NOT_FOUND', { message: 'No erasure has this receipt.' })
  return erasureFrom(row)
}
