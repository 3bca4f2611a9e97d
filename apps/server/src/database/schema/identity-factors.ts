import type { Generated } from 'kysely'
import type { Optional, WithDefault } from './column-types.ts'

/** What a user proves in addition to the password. Recovery codes replace either once. */
export type FactorKind = 'totp' | 'passkey'
/** What a challenge may be answered for. */
export type ChallengePurpose = 'login' | 'sso_login' | 'sign_in' | 'step_up' | 'enroll'

export interface FactorsTables {
  user_totp: {
    organization_id: number
    user_id: number
    sealed_secret: Buffer
    created_at: Date
    /** Null until the first code proves that an app holds the secret. */
    confirmed_at: Optional<Date>
    /** The time step of the last accepted code; codes up to it are used. */
    last_step: Optional<number>
  }
  user_passkeys: {
    organization_id: number
    id: Generated<number>
    user_id: number
    name: string
    credential_id: Buffer
    /** COSE. */
    public_key: Buffer
    /** The signature counter of the last use; 0 where the authenticator keeps none. */
    counter: number
    transports: string[]
    /** Whether the authenticator synchronizes it. */
    backed_up: boolean
    created_at: Date
    last_used_at: Optional<Date>
  }
  user_recovery_codes: {
    organization_id: number
    user_id: number
    code_hash: Buffer
    used_at: Optional<Date>
    /** The pepper of its hash. */
    pepper_id: WithDefault<string>
  }
  factor_challenges: {
    challenge_hash: Buffer
    purpose: ChallengePurpose
    /** Null for a sign-in by passkey, before the user is known. */
    organization_id: Optional<number>
    user_id: Optional<number>
    /** Null where there is no session yet. */
    session_id: Optional<number>
    expires_at: Date
  }
}
