import { sql } from 'kysely'
import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import {
  API_KEY_OVERLAP_SECONDS,
  addMilliseconds,
  assert,
  Failure,
  SERVICE_ACCOUNT_SECRETS_MAX,
} from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { getServiceAccount } from './get-service-account.ts'
import { type ServiceAccountWithSecret, serviceAccountNotFound } from './service-account.ts'
import { storeSecret } from './store-secret.ts'

export interface ServiceAccountRotation {
  readonly organizationId: number
  readonly serviceAccountId: number
  /** How long the previous secret still works; a day by default. */
  readonly overlapSeconds?: number | undefined
  /** The user who asks for it, and receives the secret. */
  readonly createdBy: number
}

/**
 * Makes a new secret; all earlier ones expire after the overlap, or earlier if they were due to. A secret with an
 * expiry is replaced by one with the same lifetime, counted from now, even after it expired.
 *
 * Errors: NOT_FOUND; CONFLICT while the secret before the current one still works, unless without overlap.
 */
export async function rotateServiceAccount(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment'>,
  rotation: ServiceAccountRotation,
  transact: Transact<ServiceAccountWithSecret> = transactOn(parts.db),
): Promise<ServiceAccountWithSecret> {
  const { organizationId, serviceAccountId, overlapSeconds = API_KEY_OVERLAP_SECONDS, createdBy } = rotation
  const owned = { organizationId, serviceAccountId }
  return await transact(async (tx) => {
    const now = parts.clock.now()
    await lockAccount(tx, owned)
    const secrets = await workingOrCurrent(tx, owned, now)
    const working = secrets.filter(({ expires_at: end }) => end === null || end > now)
    if (overlapSeconds > 0 && working.length >= SERVICE_ACCOUNT_SECRETS_MAX)
      throw new Failure('CONFLICT', {
        message: 'The secret before the current one still works. Wait until it expires, or rotate without an overlap.',
        details: { reason: 'earlier_secret_works' },
      })
    const current = secrets.find(({ replaced_at: replacedAt }) => replacedAt === null)
    assert(current !== undefined, 'a service account has a current secret')
    await tx
      .updateTable('service_account_secrets')
      .set({
        replaced_at: sql<Date>`coalesce(replaced_at, ${now})`,
        expires_at: sql<Date>`least(expires_at, ${addMilliseconds(now, overlapSeconds * 1_000)}::timestamptz)`,
      })
      .where('organization_id', '=', organizationId)
      .where(
        'id',
        'in',
        secrets.map(({ id }) => id),
      )
      .execute()
    const { expires_at: end, created_at: start } = current
    const expiresAt = end === null ? null : addMilliseconds(now, end.getTime() - start.getTime())
    const secret = await storeSecret(tx, parts, { ...owned, createdBy, expiresAt })
    return { ...(await getServiceAccount({ ...parts, db: tx }, owned)), secret }
  })
}

type Owned = Pick<ServiceAccountRotation, 'organizationId' | 'serviceAccountId'>

/** Two rotations at once would both replace the same secret. */
async function lockAccount(tx: Tx, { organizationId, serviceAccountId }: Owned): Promise<void> {
  const account = await tx
    .selectFrom('service_accounts')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', serviceAccountId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (account === undefined) throw serviceAccountNotFound()
}

async function workingOrCurrent(tx: Tx, { organizationId, serviceAccountId }: Owned, now: Date) {
  return await tx
    .selectFrom('service_account_secrets')
    .select(['id', 'created_at', 'expires_at', 'replaced_at'])
    .where('organization_id', '=', organizationId)
    .where('service_account_id', '=', serviceAccountId)
    .where((is) => is.or([is('replaced_at', 'is', null), is('expires_at', 'is', null), is('expires_at', '>', now)]))
    .execute()
}
