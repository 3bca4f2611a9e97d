import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../src/database/index.ts'

/** The state of everything that a refused request about factors must leave alone. */
async function checksum(db: Database): Promise<unknown> {
  const { rows } = await sql`
    select
      (select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from user_totp t) as totp,
      (select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from user_passkeys t) as passkeys,
      (select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from user_recovery_codes t) as codes,
      (select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from sessions t) as sessions,
      (select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from users t) as users,
      (select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from organizations t) as organizations
  `.execute(db)
  return rows
}

/** Runs a request and asserts whether it changed any factor, session, user or organization. */
export async function expectChanges(
  { db }: { readonly db: Database },
  changes: boolean,
  request: () => Promise<unknown>,
): Promise<void> {
  const before = await checksum(db)
  await request()
  if (changes) expect(await checksum(db)).not.toEqual(before)
  else expect(await checksum(db)).toEqual(before)
}
