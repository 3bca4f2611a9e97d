import type { Generated } from 'kysely'
import type { JsonColumn, Optional } from './column-types.ts'
import type { Role } from './identity.ts'

/** A role that anybody may get by default. */
export type DefaultRole = 'admin' | 'approver' | 'viewer'

export interface SsoTables {
  sso_providers: {
    organization_id: number
    id: Generated<number>
    name: string
    issuer: string
    client_id: string
    /** Sealed. */
    client_secret: Buffer
    /** What a sign-in requests of the provider. */
    scopes: string[]
    /** The claim that says whether the email address is verified. */
    verified_email_claim: string
    /** Null: claims give no roles. */
    role_claim: Optional<string>
    /** Which role a value of `role_claim` gives; of several that match, the highest counts. */
    role_mappings: JsonColumn<{ readonly value: string; readonly role: Role }[]>
    /** For members whom no mapping matches; null: they are refused. */
    default_role: Optional<DefaultRole>
    /** Whether claims can make somebody an owner. */
    allow_owner: boolean
    /** Members of its domains sign in nowhere else. */
    enforced: boolean
    /** The owner who may still sign in with a password. */
    break_glass_user_id: Optional<number>
    /** Whether its own redirect URI is registered at it; null: unknown, because a version before 0.4.0 added it. */
    own_callback: Optional<boolean>
    created_at: Date
    updated_at: Date
    /** When it was removed; nobody signs in through it from then on. */
    deleted_at: Optional<Date>
  }
  sso_domains: {
    organization_id: number
    id: Generated<number>
    /** In ASCII, lower case. */
    domain: string
    /** What the TXT record must contain. */
    challenge: string
    /** The provider that its members sign in at. */
    provider_id: Optional<number>
    created_at: Date
    /** When the TXT record was found; null: the domain is claimed and not proved. */
    verified_at: Optional<Date>
  }
  sso_identities: {
    organization_id: number
    /** The identity provider. */
    issuer: string
    /** The account's id at the provider, which never changes. */
    subject: string
    user_id: number
    created_at: Date
    /** The last sign-in. */
    last_used_at: Date
  }
  sso_sign_ins: {
    /** A hash of the state that the provider sends back. */
    state_hash: Buffer
    /** Of the cookie of the browser that began it. */
    browser_hash: Buffer
    organization_id: number
    provider_id: number
    created_at: Date
    /** The deadline for the provider to send the browser back. */
    expires_at: Date
    /** When the provider sent the browser back; a state works once. */
    returned_at: Optional<Date>
    /** Who signed in. */
    user_id: Optional<number>
    /** Whether the provider asked for a second factor. */
    second_factor: Optional<boolean>
    /** A hash of the one-time code that the browser exchanges for a session; null before it returns, and once ended. */
    code_hash: Optional<Buffer>
    /** From then on the code is refused. */
    code_expires_at: Optional<Date>
    /** When the code was exchanged; a code works once. */
    exchanged_at: Optional<Date>
    /** The session that it became. */
    session_id: Optional<number>
  }
}
