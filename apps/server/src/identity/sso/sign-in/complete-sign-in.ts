import { inTransaction, type Tx } from '../../../database/index.ts'
import { addMilliseconds, Failure, SSO_CODE_MS } from '../../../kernel/index.ts'
import { tokenHash } from '../../shared/token-hash.ts'
import type { SsoParts } from '../parts.ts'
import { readProvider, secretLabel } from '../providers/provider.ts'
import type { RoleRefusal } from './apply-role.ts'
import { exchangeAuthorizationCode } from './oidc-client.ts'
import { provesSecondFactor } from './proves-second-factor.ts'
import { resolveMember } from './resolve-member.ts'
import { createToken, signInSecrets } from './sign-in-secrets.ts'

export interface SignInCallback {
  readonly state: string
  /** The provider in the path at which the response arrived; `undefined` at the path that all share. */
  readonly callbackOf: number | undefined
  /** From the cookie of the browser; `undefined` if it sent none. */
  readonly browserSecret: string | undefined
  /** The whole query string, without `?`. */
  readonly query: string
  /** The provider refused: the `error` of its response. */
  readonly error?: string | undefined
  /** The caller's address, for the audit log. */
  readonly from: string | null
}

export interface CompletedSignIn {
  /** Opens the session, once. Leaves the service once; only its hash is stored. */
  readonly code: string
  readonly expiresAt: Date
  /** The member keeps the role that they had: the organization's rules refuse the one of the claims. */
  readonly refusedRole?: { readonly reason: RoleRefusal; readonly organizationId: number; readonly memberId: number }
}

type SignInParts = Pick<
  SsoParts,
  'db' | 'clock' | 'random' | 'sso' | 'quotas' | 'assignedPasswords' | 'log' | 'secrets' | 'mail'
>

/**
 * Ends a sign-in in the browser that began it: checks what the provider says, finds, links or creates the member, and
 * issues a one-time code. The response must arrive at the redirect URI of the provider that was asked. A state is
 * consumed by its first use, even when that fails. UNAUTHORIZED with `details.reason`: `unknown_state`,
 * `provider_refused`, `sign_in_failed`; FORBIDDEN with the reasons of {@link resolveMember}.
 */
export async function completeSignIn(parts: SignInParts, callback: SignInCallback): Promise<CompletedSignIn> {
  const { browserSecret, state } = callback
  const begun = browserSecret === undefined ? undefined : await spendState(parts, state, browserSecret)
  if (begun === undefined || browserSecret === undefined) {
    throw new Failure('UNAUTHORIZED', {
      message: 'This sign-in was started in another browser, was already finished, or took too long. Start again.',
      details: { reason: 'unknown_state' },
    })
  }
  try {
    return await finishSignIn(parts, begun, { ...callback, browserSecret })
  } catch (error) {
    throw error instanceof Failure ? withOrganization(error, begun.organizationId) : error
  }
}

interface BegunSignIn {
  readonly organizationId: number
  readonly providerId: number
}

async function finishSignIn(
  parts: SignInParts,
  begun: BegunSignIn,
  callback: SignInCallback & { readonly browserSecret: string },
): Promise<CompletedSignIn> {
  const { browserSecret, state } = callback
  if (callback.error !== undefined) {
    const problem = /^[a-z_]{1,60}$/.test(callback.error) ? callback.error : 'unknown'
    throw new Failure('UNAUTHORIZED', {
      message: 'The identity provider refused the sign-in.',
      details: { reason: 'provider_refused', problem },
    })
  }
  const { provider, sealedSecret } = await readProvider(parts.db, begun)
  const clientSecret = parts.sso.sealer.open(sealedSecret, secretLabel(begun.organizationId, begun.providerId))
  const verified = await exchangeAuthorizationCode(
    parts.sso,
    { ...provider, clientSecret },
    { ...signInSecrets(browserSecret), state, query: callback.query, callbackOf: callback.callbackOf },
  )
  const code = createToken(parts.random)
  return await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const expiresAt = addMilliseconds(at, SSO_CODE_MS)
    const context = {
      ...begun,
      at,
      from: callback.from,
      quotas: parts.quotas,
      rules: parts.sso.roleRules,
      assignedPasswords: parts.assignedPasswords,
      notices: parts,
    }
    const { id: memberId, refusedRole: reason } = await resolveMember(tx, context, verified)
    if (!provider.ownCallback && callback.callbackOf !== undefined) await confirmOwnCallback(tx, begun)
    await tx
      .updateTable('sso_sign_ins')
      .set({
        user_id: memberId,
        second_factor: provesSecondFactor(verified.signedClaims),
        code_hash: tokenHash(code),
        code_expires_at: expiresAt,
      })
      .where('state_hash', '=', tokenHash(state))
      .execute()
    if (reason === undefined) return { code, expiresAt }
    return { code, expiresAt, refusedRole: { reason, organizationId: begun.organizationId, memberId } }
  })
}

/** The organization sees the refusal among its security events. */
function withOrganization({ code, message, details, cause }: Failure, organizationId: number): Failure {
  const reason = typeof details?.reason === 'string' ? details.reason : 'sso_refused'
  return new Failure(code, { message, ...(details && { details }), cause, refusal: { reason, organizationId } })
}

/** The provider sent somebody back to its own redirect URI, so it is registered there. */
async function confirmOwnCallback(tx: Tx, { organizationId, providerId }: BegunSignIn): Promise<void> {
  await tx
    .updateTable('sso_providers')
    .set({ own_callback: true })
    .where('organization_id', '=', organizationId)
    .where('id', '=', providerId)
    .execute()
}

/** Takes the state out of use; `undefined` unless this browser began it less than ten minutes ago. */
async function spendState({ db, clock }: Pick<SsoParts, 'db' | 'clock'>, state: string, browserSecret: string) {
  const now = clock.now()
  return await db
    .updateTable('sso_sign_ins')
    .set({ returned_at: now })
    .where('state_hash', '=', tokenHash(state))
    .where('browser_hash', '=', tokenHash(browserSecret))
    .where('returned_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['organization_id as organizationId', 'provider_id as providerId'])
    .executeTakeFirst()
}
