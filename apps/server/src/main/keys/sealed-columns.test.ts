import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

/** Columns of bytes that are not sealed values: hashes, transactions, and keys that a key service wrapped. */
const OTHERS = [
  'factor_challenges.challenge_hash',
  'user_passkeys.credential_id',
  'user_passkeys.public_key',
  'user_recovery_codes.code_hash',
  'account_tokens.token_hash',
  'api_keys.key_hash',
  'audit_anchor_heads.hash',
  'audit_anchors.digest',
  'audit_anchors.previous_digest',
  'audit_anchors.token',
  'audit_heads.hash',
  'audit_log.hash',
  'audit_log.previous_hash',
  'change_requests.fingerprint',
  'idempotency_keys.body_hash',
  'login_account_attempts.subject',
  'login_addresses.subject',
  'login_attempts.subject',
  'mails.recipient',
  'mails.requester',
  'member_invitations.token_hash',
  'operation_approvals.authenticator_data',
  'operation_approvals.client_data',
  'operation_approvals.credential_id',
  'operation_approvals.signature',
  'organization_erasures.receipt_hash',
  'ramp_bridge_intents.fingerprint',
  'ramp_customers.external_id_index',
  'ramp_sandbox_applications.token_hash',
  'refresh_tokens.token_hash',
  'registration_invitations.token_hash',
  'secret_keys.fingerprint',
  'secret_keys.wrapped',
  'service_account_secrets.secret_hash',
  'sso_sign_ins.browser_hash',
  'sso_sign_ins.code_hash',
  'sso_sign_ins.state_hash',
]

const database = useFixture(testDatabase)

test('every column of bytes is a sealed value that a rotation reaches, or known to be none', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'
  `.execute(database.db)
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name).sort()).toEqual([...sealed, ...OTHERS].sort())
})

test('the key of each sealed column is the primary key of its table', async () => {
  const { rows } = await sql<{ table: string; key: string[] }>`
    select c.relname as table, array_agg(a.attname::text order by k.position) as key
    from pg_index i join pg_class c on c.oid = i.indrelid
    cross join lateral unnest(i.indkey::int[]) with ordinality as k(attnum, position)
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
    where i.indisprimary group by c.relname
  `.execute(database.db)
  const keys = new Map(rows.map(({ table, key }) => [table, key]))
  for (const { table, column, key } of SEALED_COLUMNS) expect(key, `${table}.${column}`).toEqual(keys.get(table))
})

test('an indexed column has an index of exactly its values, in the order of the primary key', async () => {
  const { rows } = await sql<{ place: string; definition: string }>`
    select i.indrelid::regclass || '.' || a.attname as place, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attname = any(${SEALED_COLUMNS.map(({ column }) => column)})
    where i.indisvalid and pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)
  `.execute(database.db)
  for (const { table, column, key, isIndexed } of SEALED_COLUMNS) {
    const inOrder = rows.some(
      ({ place, definition }) => place === `${table}.${column}` && definition.includes(`(${key.join(', ')}) WHERE`),
    )
    expect(inOrder, `${table}.${column}`).toBe(isIndexed === true)
  }
})
