import { sql } from 'kysely'
import { inTransaction, type KeyScope, type Tx } from '../../database/index.ts'
import { assert, randomBase62 } from '../../kernel/index.ts'
import { appendAuditEntry } from '../audit/append-audit-entry.ts'
import { lockAuditHead } from '../audit/lock-audit-head.ts'
import { insertKey } from '../keys/generate-key.ts'
import { isKeyForEnvironment, secretHashes } from '../keys/key-material.ts'
import { endSessions } from '../members/end-sessions.ts'
import { hashPassword, passwordMatches } from '../members/password.ts'
import { createOrganization } from '../organizations/create-organization.ts'
import { findAccount } from '../sessions/find-account.ts'
import { SYSTEM_ACTOR } from '../shared/actor.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { type DemoCredentials, demoFilePath, readDemoFile, writeDemoFile } from './demo-file.ts'

const DEMO_EMAIL = 'demo@weir.example'
const DEMO_ORGANIZATION = 'Demo organization'
const PASSWORD_LENGTH = 24
/** Serializes seeding by processes that start at once; an arbitrary number that no other lock here uses. */
const SEED_LOCK = 7_305_001

type DemoParts = Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment'>

/**
 * Ensures that the sandbox has a demo organization and that `sandbox-credentials.json` in `dataDir` contains working
 * credentials for it (contract 2). The file's content is checked against the database, and only what does not work is
 * replaced: after a lost file, a new database, a deleted key, or a crash halfway, the next start repairs it.
 *
 * The file is written last, inside the transaction: no other process writes in between, and a crash before the commit
 * leaves a file whose secrets do not work, which the next start detects.
 */
export async function seedDemo(
  parts: DemoParts,
  input: { readonly dataDir: string; readonly baseUrl: string },
): Promise<{ readonly path: string; readonly credentials: DemoCredentials }> {
  assert(parts.environment === 'sandbox', 'the demo organization exists in the sandbox only')
  const path = demoFilePath(input.dataDir)
  return await inTransaction(parts.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(tx)
    const stored = await readDemoFile(path)
    const { organizationId, defaultProfileId, password } = await demoAccount(tx, parts, stored.password)
    await recordRegistration(tx, parts, organizationId)
    const keyFor = async (scope: KeyScope, name: string, text: string | undefined): Promise<string> => {
      if (text !== undefined && (await hasWorkingCredentials(tx, parts, { organizationId, scope, text }))) return text
      const walletProfileId = scope === 'profile' ? { walletProfileId: defaultProfileId } : {}
      const key = await insertKey(tx, parts, { organizationId, name, isAdmin: scope === 'admin', ...walletProfileId })
      return key.apiKey
    }
    const credentials: DemoCredentials = {
      baseUrl: input.baseUrl,
      email: DEMO_EMAIL,
      password,
      organizationApiKey: await keyFor('organization', 'Demo organization key', stored.organizationApiKey),
      profileApiKey: await keyFor('profile', 'Demo profile key', stored.profileApiKey),
      adminApiKey: await keyFor('admin', 'Demo admin key', stored.adminApiKey),
    }
    if (!isSame(stored, credentials)) await writeDemoFile(path, credentials)
    return { path, credentials }
  })
}

interface DemoAccount {
  readonly organizationId: number
  readonly defaultProfileId: number
  readonly password: string
}

/** The demo organization, created if missing, and a working password for it: the stored one, or a new one. */
async function demoAccount(tx: Tx, parts: DemoParts, stored: string | undefined): Promise<DemoAccount> {
  const found = await findAccount(tx, { email: DEMO_EMAIL })
  if (found === undefined) {
    const password = randomBase62(parts.random, PASSWORD_LENGTH)
    const owner = { email: DEMO_EMAIL, name: 'Demo', passwordHash: await hashPassword(password) }
    const created = await createOrganization(tx, parts, { name: DEMO_ORGANIZATION, owner })
    return { organizationId: created.organization.id, defaultProfileId: created.defaultProfileId, password }
  }
  const { organization, user } = found.account
  const matches = stored !== undefined && (await passwordMatches(found.passwordHash, stored))
  return {
    organizationId: organization.id,
    defaultProfileId: await defaultProfileOf(tx, organization.id),
    password: matches ? stored : await resetPassword(tx, parts, organization.id, user.id),
  }
}

/** The log of an organization that exists is not empty. Only the demo organization is not registered over HTTP. */
async function recordRegistration(tx: Tx, { clock }: DemoParts, organizationId: number): Promise<void> {
  const { entries } = await lockAuditHead(tx, organizationId)
  if (entries > 0) return
  await appendAuditEntry(tx, {
    organizationId,
    actor: SYSTEM_ACTOR,
    action: 'register',
    objectType: 'organization',
    objectId: organizationId,
    from: null,
    at: clock.now(),
  })
}

async function defaultProfileOf(tx: Tx, organizationId: number): Promise<number> {
  const profile = await tx
    .selectFrom('wallet_profiles')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow()
  return profile.id
}

async function resetPassword(tx: Tx, parts: DemoParts, organizationId: number, id: number): Promise<string> {
  const password = randomBase62(parts.random, PASSWORD_LENGTH)
  await tx
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  await endSessions(tx, parts.clock.now(), { organizationId, id })
  return password
}

interface KeyInFile {
  readonly organizationId: number
  readonly scope: KeyScope
  readonly text: string
}

async function hasWorkingCredentials(
  tx: Tx,
  parts: DemoParts,
  { organizationId, scope, text }: KeyInFile,
): Promise<boolean> {
  if (!isKeyForEnvironment(parts.environment, text)) return false
  const key = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('key_hash', 'in', secretHashes(parts.secrets.pepper, text))
    .where('organization_id', '=', organizationId)
    .where('scope', '=', scope)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return key !== undefined
}

function isSame(stored: Partial<DemoCredentials>, expected: DemoCredentials): boolean {
  return Object.entries(expected).every(([field, value]) => stored[field as keyof DemoCredentials] === value)
}
