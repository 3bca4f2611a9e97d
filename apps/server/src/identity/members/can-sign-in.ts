import { type RawBuilder, sql } from 'kysely'
import { NO_PASSWORD } from './password.ts'

/**
 * Whether a `member` has a way in that is their own, in SQL over a row of that name: a password that they set, a passkey,
 * or an account at an identity provider. Nobody may ever use a one-time password that is not replaced.
 */
export const canSignIn = (): RawBuilder<boolean> => sql<boolean>`(
  not member.password_change_required and (
    member.password_hash <> ${NO_PASSWORD}
    or exists (select from sso_identities identity
      where identity.organization_id = member.organization_id and identity.user_id = member.id)
    or exists (select from user_passkeys passkey
      where passkey.organization_id = member.organization_id and passkey.user_id = member.id)
  )
)`
