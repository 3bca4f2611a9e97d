import { type RawBuilder, sql } from 'kysely'
import { beginningWith } from '../database/index.ts'

/**
 * Whether the label or the address of a wallet begins with a text, in any case. For statements that read `wallets` of one
 * organization: indexes have both in lower case.
 */
export function hasWalletPrefix(text: string): RawBuilder<boolean> {
  const pattern = beginningWith(text)
  return sql`(lower(wallets.label) like ${pattern} or lower(wallets.address) like ${pattern})`
}
