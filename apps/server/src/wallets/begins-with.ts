import { type RawBuilder, sql } from 'kysely'

/**
 * Whether the label or the address of a wallet begins with a text, in any case. For statements that read `wallets` of one
 * organization: indexes have both in lower case. The database lowers the text too: its rules are those of the indexes.
 */
export function walletBeginsWith(text: string): RawBuilder<boolean> {
  const pattern = sql`lower(${text.replaceAll(/[\\%_]/g, '\\$&')}) || '%'`
  return sql`(lower(wallets.label) like ${pattern} or lower(wallets.address) like ${pattern})`
}
