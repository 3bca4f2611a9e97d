import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../src/database/index.ts'

interface PersonalRowsInput {
  readonly organizationId: number
  /** Part of every value that can be recognized. */
  readonly mark: string
  readonly at: Date
  readonly sealChange: (id: number, text: string) => Buffer
}

/** Gives an organization a row in every table whose personal columns an erasure empties, apart from those of the ramp. */
export async function personalRows(db: Database, input: PersonalRowsInput): Promise<void> {
  const { organizationId, mark, at, sealChange } = input
  const address = `${mark}@acme.example`
  const later = new Date(at.getTime() + 1_000)
  const bytes = Buffer.from(`${mark} ${randomBytes(8).toString('hex')}`)
  const own = { organization_id: organizationId, created_at: at }
  const { id: userId } = await db
    .insertInto('users')
    .values({
      ...own,
      email: address,
      name: mark,
      password_hash: '$argon2id$',
      role: 'owner',
      second_factors: ['totp'],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const user = { organization_id: organizationId, user_id: userId }
  await db
    .insertInto('sessions')
    .values({ ...own, user_id: userId, last_used_at: at, address: `${mark}::1`, user_agent: mark })
    .execute()
  await db
    .insertInto('saved_views')
    .values({
      ...own,
      name: mark,
      path: `/${mark}`,
      query: `q=${mark}`,
      is_shared: true,
      created_by: userId,
      updated_at: at,
    })
    .execute()
  await db
    .insertInto('registration_invitations')
    .values({
      token_hash: randomBytes(32),
      email: address,
      created_at: at,
      expires_at: later,
      used_at: at,
      organization_id: organizationId,
    })
    .execute()
  await db
    .insertInto('account_tokens')
    .values({
      ...own,
      token_hash: randomBytes(32),
      purpose: 'password_reset',
      user_id: userId,
      email: address,
      expires_at: later,
    })
    .execute()
  const invited = {
    ...own,
    role: 'viewer',
    token_hash: randomBytes(32),
    invited_by: userId,
    expires_at: later,
  } as const
  await db
    .insertInto('member_invitations')
    .values({ ...invited, email: address })
    .execute()
  await db
    .insertInto('mails')
    .values({
      ...own,
      kind: 'notice',
      recipient: randomBytes(32),
      content: bytes,
      next_attempt_at: at,
      expires_at: later,
    })
    .execute()
  await db
    .insertInto('sandbox_mails')
    .values({ recipient: address, subject: mark, text_body: mark, html_body: mark, created_at: at })
    .execute()
  await db
    .insertInto('user_totp')
    .values({ ...user, sealed_secret: bytes, created_at: at })
    .execute()
  await db
    .insertInto('user_passkeys')
    .values({
      ...own,
      user_id: userId,
      name: mark,
      credential_id: bytes,
      public_key: bytes,
      counter: 0,
      transports: [],
      backed_up: false,
    })
    .execute()
  await db
    .insertInto('user_recovery_codes')
    .values({ ...user, code_hash: bytes })
    .execute()
  await insertSso(db, input, userId)
  const { id: profileId } = await db
    .insertInto('wallet_profiles')
    .values({ ...own, name: mark, enabled_chains: ['base'], operation_timeout_seconds: 60 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('api_keys')
    .values({
      ...own,
      name: mark,
      scope: 'organization',
      key_hash: randomBytes(32),
      preview: 'svc',
      allowed_addresses: [`${mark}::/64`],
      last_used_address: `${mark}::1`,
    })
    .execute()
  const { id: serviceAccountId } = await db
    .insertInto('service_accounts')
    .values({ ...own, name: mark, role: 'viewer', allowed_addresses: [`${mark}::/64`], created_by: userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('service_account_secrets')
    .values({
      ...own,
      service_account_id: serviceAccountId,
      secret_hash: randomBytes(32),
      pepper_id: '0',
      preview: 'sa',
      created_by: userId,
      last_used_address: `${mark}::1`,
    })
    .execute()
  await db
    .insertInto('security_events')
    .values({
      id: sql<string>`gen_random_uuid()`,
      at,
      last_at: at,
      count: 1,
      type: 'access_denied',
      organization_id: organizationId,
      address: `${mark}::1`,
      user_agent: mark,
    })
    .execute()
  for (const ended_at of [null, at]) {
    const { rows } = await sql<{
      id: number
    }>`select nextval(pg_get_serial_sequence('change_requests', 'id')) as id`.execute(db)
    const { id } = rows[0]!
    const content = JSON.stringify({ summary: mark, method: 'POST', path: '/', body: { email: address } })
    await db
      .insertInto('change_requests')
      .values({
        ...own,
        id,
        kind: 'members',
        action: 'addMember',
        fingerprint: randomBytes(32),
        content: sealChange(id, content),
        requested_by_type: 'user',
        requested_by_id: userId,
        requester_user_id: userId,
        required_approvals: 1,
        cooling_off_seconds: 0,
        state: ended_at === null ? 'requested' : 'rejected',
        expires_at: later,
        ended_at,
      })
      .execute()
  }
  await insertWallet(db, input, profileId)
  await db
    .insertInto('destinations')
    .values({ ...own, blockchain: 'base', address: `0x${mark}`, label: mark, created_by: userId })
    .execute()
  await db
    .insertInto('agent_actions')
    .values({
      ...own,
      type: 'CREATE_WALLET',
      payload: JSON.stringify({ blockchain: 'base', label: mark }),
      error: mark,
      available_at: at,
    })
    .execute()
  await insertWebhook(db, input)
  await db
    .insertInto('idempotency_keys')
    .values({
      ...own,
      key: mark,
      method: 'POST',
      path: `/${mark}`,
      body_hash: randomBytes(32),
      claim: '1',
      claimed_until: at,
      response_body: mark,
      sealed_body: bytes,
    })
    .execute()
}

async function insertSso(db: Database, { organizationId, mark, at }: PersonalRowsInput, userId: number): Promise<void> {
  const own = { organization_id: organizationId, created_at: at }
  await db
    .insertInto('sso_providers')
    .values({
      ...own,
      name: mark,
      issuer: `https://${mark}.example`,
      client_id: mark,
      client_secret: Buffer.from(mark),
      scopes: ['openid'],
      verified_email_claim: 'email_verified',
      role_mappings: JSON.stringify([{ value: mark, role: 'viewer' }]),
      allow_owner: false,
      enforced: false,
      updated_at: at,
    })
    .execute()
  await db
    .insertInto('sso_domains')
    .values({ ...own, domain: `${mark}.example`, challenge: 'a challenge' })
    .execute()
  await db
    .insertInto('sso_identities')
    .values({ ...own, issuer: `https://${mark}.example`, subject: mark, user_id: userId, last_used_at: at })
    .execute()
}

async function insertWallet(
  db: Database,
  { organizationId, mark, at }: PersonalRowsInput,
  profileId: number,
): Promise<void> {
  const own = { organization_id: organizationId, created_at: at }
  const { id: walletId } = await db
    .insertInto('wallets')
    .values({
      ...own,
      wallet_profile_id: profileId,
      blockchain: 'base',
      address: `0x${randomBytes(20).toString('hex')}`,
      user_id: mark,
      org_metadata: JSON.stringify({ name: mark }),
      label: mark,
      custody_provider: mark,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('operational_wallets')
    .values({
      ...own,
      wallet_id: walletId,
      token_address: '0x0',
      enable_yield: false,
      buffer_amount: 0n,
      metadata: JSON.stringify({ name: mark }),
      updated_at: at,
    })
    .execute()
}

async function insertWebhook(db: Database, { organizationId, mark, at }: PersonalRowsInput): Promise<void> {
  const own = { organization_id: organizationId, created_at: at }
  const { id: webhookId } = await db
    .insertInto('webhooks')
    .values({
      ...own,
      url: `https://${mark}.example`,
      events: ['*'],
      description: mark,
      secret: Buffer.from(mark),
      previous_secret: Buffer.from(mark),
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const url = `https://${mark}.example`
  for (const event of ['webhook.test', 'webhook.disabled']) {
    const about = { event, object_type: 'webhook', object_id: webhookId, data: JSON.stringify({ url }) }
    const { id } = await db
      .insertInto('outbox')
      .values({ ...own, ...about, body: JSON.stringify({ event, timestamp: at.toISOString(), data: { url } }) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.updateTable('outbox').set({ position: -id, relayed_at: at }).where('id', '=', id).execute()
  }
  await db
    .insertInto('webhook_old_secrets')
    .values({ organization_id: organizationId, webhook_id: webhookId, secret: Buffer.from(mark), valid_until: at })
    .execute()
  await db
    .insertInto('webhook_deliveries')
    .values({
      ...own,
      webhook_id: webhookId,
      event_id: 1,
      event: 'customer.approved',
      object_type: 'customer',
      object_id: 1,
      status: 'failed',
      attempt_count: 1,
      attempts: JSON.stringify([{ at: at.toISOString(), statusCode: null, error: mark, durationMs: 1 }]),
    })
    .execute()
}
