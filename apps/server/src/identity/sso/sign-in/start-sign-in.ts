import { sql } from 'kysely'
import { inTransaction } from '../../../database/index.ts'
import {
  addMilliseconds,
  Failure,
  SSO_SIGN_IN_MS,
  SSO_SIGN_IN_RETENTION_MS,
  SSO_SIGN_INS_SWEEP_BATCH,
  validationError,
} from '../../../kernel/index.ts'
import { domainOfEmail } from '../../shared/email-domain.ts'
import { tokenHash } from '../../shared/token-hash.ts'
import { normalizeEmail } from '../../shared/validate-text.ts'
import type { SsoParts } from '../parts.ts'
import { readProvider, secretLabel } from '../providers/provider.ts'
import { authorizationUrl } from './oidc-client.ts'
import { createToken, signInSecrets } from './sign-in-secrets.ts'

/** Exactly one of `email` and `organizationId`. */
export interface SignInRequest {
  readonly email?: string | undefined
  readonly organizationId?: number | undefined
  /** One of the organization's providers; required if it has several. */
  readonly providerId?: number | undefined
}

export interface StartedSignIn {
  /** Where the browser signs in. */
  readonly url: string
  /** For a cookie of this browser: the callback requires it. Leaves the service once. */
  readonly browserSecret: string
  readonly expiresAt: Date
}

interface ProviderRef {
  readonly organizationId: number
  readonly providerId: number
}

/**
 * Begins a sign-in at the provider of an email domain or of an organization. The response depends on the domain only,
 * never on whether the address has an account. VALIDATION_ERROR unless exactly one of them is named, NOT_FOUND if it
 * has no provider, CONFLICT (`provider_unavailable`).
 */
export async function startSignIn(
  parts: Pick<SsoParts, 'db' | 'clock' | 'random' | 'sso' | 'log'>,
  request: SignInRequest,
): Promise<StartedSignIn> {
  const found = await findProvider(parts, request)
  const { provider, sealedSecret } = await readProvider(parts.db, found)
  const clientSecret = parts.sso.sealer.open(sealedSecret, secretLabel(found.organizationId, found.providerId))
  const state = createToken(parts.random)
  const browserSecret = createToken(parts.random)
  const { url, redirectUri } = await authorizationUrl(
    parts.sso,
    { ...provider, clientSecret },
    { state, ...signInSecrets(browserSecret), email: request.email },
  )
  const now = parts.clock.now()
  const expiresAt = addMilliseconds(now, SSO_SIGN_IN_MS)
  await inTransaction(parts.db, async (tx) => {
    await tx
      .insertInto('sso_sign_ins')
      .values({
        state_hash: tokenHash(state),
        browser_hash: tokenHash(browserSecret),
        organization_id: found.organizationId,
        provider_id: found.providerId,
        created_at: now,
        expires_at: expiresAt,
      })
      .execute()
    await sql`
      delete from sso_sign_ins where (organization_id, state_hash) in (
        select organization_id, state_hash from sso_sign_ins
        where created_at <= ${addMilliseconds(now, -SSO_SIGN_IN_RETENTION_MS)}
        order by created_at limit ${SSO_SIGN_INS_SWEEP_BATCH} for update skip locked
      )
    `.execute(tx)
  })
  if (!provider.ownCallback && redirectUri !== parts.sso.callbackUrl)
    parts.log.warn({ ...found, redirectUri }, 'the identity provider may not know its redirect URI')
  return { url, browserSecret, expiresAt }
}

async function findProvider(
  { db }: Pick<SsoParts, 'db'>,
  { email, organizationId, providerId }: SignInRequest,
): Promise<ProviderRef> {
  if ((email === undefined) === (organizationId === undefined))
    throw validationError('email', 'or organization is required, and only one of them')
  const domain = email === undefined ? undefined : domainOfEmail(normalizeEmail(email))
  let query = db
    .selectFrom('sso_providers as provider')
    .innerJoin('organizations as organization', 'organization.id', 'provider.organization_id')
    .select(['provider.organization_id as organizationId', 'provider.id as providerId'])
    .where('provider.deleted_at', 'is', null)
    .where('organization.deleted_at', 'is', null)
  if (providerId !== undefined) query = query.where('provider.id', '=', providerId)
  query =
    organizationId === undefined
      ? query
          .innerJoin('sso_domains as domain', (join) =>
            join
              .onRef('domain.organization_id', '=', 'provider.organization_id')
              .onRef('domain.provider_id', '=', 'provider.id'),
          )
          .where('domain.domain', '=', domain ?? '')
          .where('domain.verified_at', 'is not', null)
      : query.where('provider.organization_id', '=', organizationId)
  const found = await query.orderBy('provider.id').execute()
  const [first, second] = found
  if (first === undefined) {
    throw new Failure('NOT_FOUND', {
      message: 'No single sign-on is configured here.',
      details: { reason: 'sso_not_configured' },
    })
  }
  if (second !== undefined)
    throw validationError('provider', 'is required: the organization has several identity providers')
  return first
}
