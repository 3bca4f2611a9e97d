import { sql } from 'kysely'
import type { Retention } from '../database/index.ts'
import {
  addMilliseconds,
  LOGIN_ACCOUNT_WINDOW_MS,
  LOGIN_FAILURES_WINDOW_MS,
  SSO_SIGN_IN_RETENTION_MS,
} from '../kernel/index.ts'
import { memberInvitationRetention } from './invitations/member-invitation-retention.ts'
import { keyErrorRetention } from './keys/key-errors.ts'
import { keyRequestRetention } from './keys/key-requests.ts'
import { tokenRetention } from './mail/account-token.ts'
import { securityEventRetention } from './security-events/security-event-retention.ts'
import { sessionRetentions } from './sessions/session-retentions.ts'
import type { IdentityParts } from './shared/parts.ts'

/** How long this room keeps what ended: sessions, tokens, invitations, failed and unfinished sign-ins, security events. */
export function identityRetentions(
  parts: Pick<IdentityParts, 'clock' | 'sessionLimits'>,
  securityEventsRetentionMs: number,
): readonly Retention[] {
  return [
    ...sessionRetentions(parts),
    tokenRetention(parts),
    memberInvitationRetention(parts),
    ...unfinishedSignIns(parts),
    keyErrorRetention(parts),
    keyRequestRetention(parts),
    securityEventRetention(parts, securityEventsRetentionMs),
  ]
}

/** Each new sign-in deletes a few of these; the rest remains when nobody signs in. */
function unfinishedSignIns({ clock }: Pick<IdentityParts, 'clock'>): Retention[] {
  const ago = (milliseconds: number) => addMilliseconds(clock.now(), -milliseconds)
  return [
    {
      table: 'login_attempts',
      statement: (limit) => sql`
        delete from login_attempts where subject in (
          select subject from login_attempts where last_at <= ${ago(LOGIN_FAILURES_WINDOW_MS)}
          order by last_at limit ${limit} for update skip locked)`,
    },
    {
      table: 'login_account_attempts',
      statement: (limit) => sql`
        delete from login_account_attempts where subject in (
          select subject from login_account_attempts where last_at <= ${ago(LOGIN_ACCOUNT_WINDOW_MS)}
          order by last_at limit ${limit} for update skip locked)`,
    },
    {
      table: 'factor_challenges',
      statement: (limit) => sql`
        delete from factor_challenges where challenge_hash in (
          select challenge_hash from factor_challenges where expires_at <= ${clock.now()}
          order by expires_at limit ${limit} for update skip locked)`,
    },
    {
      table: 'sso_sign_ins',
      statement: (limit) => sql`
        delete from sso_sign_ins where (organization_id, state_hash) in (
          select organization_id, state_hash from sso_sign_ins where created_at <= ${ago(SSO_SIGN_IN_RETENTION_MS)}
          order by created_at limit ${limit} for update skip locked)`,
    },
  ]
}
