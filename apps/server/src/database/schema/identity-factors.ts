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
    /** Sealed: the secret that the app shares. */
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
    /** The authenticator's name for the passkey. */
    credential_id: Buffer
    /** COSE. */
    public_key: Buffer
    /** The signature counter of the last use; 0 where the authenticator keeps none. */
    counter: number
    /** How a browser reaches the authenticator, as it said at enrollment. */
    transports: string[]
    /** Whether the authenticator synchronizes it. */
    backed_up: boolean
    created_at: Date
    /** When a signature was last accepted. */
    last_used_at: Optional<Date>
  }
  user_recovery_codes: {
    organization_id: number
    user_id: number
    /** A keyed hash: the code itself is not stored. */
    code_hash: Buffer
    /** When it was used; a code works once. */
    used_at: Optional<Date>
    /** The pepper of its hash. */
    pepper_id: WithDefault<string>
  }
  factor_challenges: {
    /** A hash: the challenge itself is not stored. */
    challenge_hash: Buffer
    /** What it may be answered for. */
    purpose: ChallengePurpose
    /** Null for a sign-in by passkey, before the user is known. */
    organization_id: Optional<number>
    user_id: Optional<number>
    /** Null where there is no session yet. */
    session_id: Optional<number>
    /** From then on it is refused. */
    expires_at: Date
  }
}
