import type { ColumnType, Generated } from 'kysely'
import type { Now, Optional, WithDefault } from './column-types.ts'
import type { FactorKind } from './identity-factors.ts'

export type Role = 'owner' | 'admin' | 'approver' | 'viewer'
export type KeyScope = 'organization' | 'profile' | 'admin'
/** What a key with explicit permissions may do; docs/api-keys.md lists the routes of each. */
export type KeyPermission = 'read' | 'plan' | 'submit' | 'ramp' | 'agent'
/** What the holder of a token that was sent by mail may do with it. */
export type AccountTokenPurpose = 'password_reset' | 'email_verification' | 'registration'

export interface IdentityTables {
  organizations: {
    id: Generated<number>
    name: string
    /** Requests a minute by kind, where they differ from the defaults. */
    rate_limits: ColumnType<Record<string, number>, string | undefined, string>
    /** How many objects it may have by kind, where that differs from the settings. */
    quotas: ColumnType<Record<string, number>, string | undefined, string>
    created_at: Now
    /** Set when the organization is deleted; its rows stay. */
    deleted_at: Optional<Date>
    /** When the personal data of the deleted organization was destroyed. */
    erased_at: Optional<Date>
    /** A member without a second factor may only enroll one. */
    second_factor_required: WithDefault<boolean>
    /** Approvals of operations count only with a signature by the approver's passkey. */
    signed_approvals: WithDefault<boolean>
    /** Members who may approve get an email when something waits for approval. */
    approval_mails: WithDefault<boolean>
  }
  users: {
    organization_id: number
    id: Generated<number>
    email: string
    name: Optional<string>
    /** Argon2id, with its parameters. */
    password_hash: string
    /** Somebody else set the password: a session may do nothing before its user has set another. */
    password_change_required: WithDefault<boolean>
    /** A password that somebody else set expires at this time. */
    password_expires_at: Optional<Date>
    /** When somebody else last set the password; null: nobody has since the user proved the address. */
    password_assigned_at: Optional<Date>
    /** Somebody else set the password: the member approves nothing until then. */
    approves_after: Optional<Date>
    /** When the user proved, by an email, that the address is theirs; null: not proved. */
    email_verified_at: Optional<Date>
    /** An owner who was recovered on the host signs in with a password until then, whatever a provider requires. */
    sso_exempt_until: Optional<Date>
    /** What the member may do. */
    role: Role
    /** The kinds of second factors that the user has; kept with the rows of the factors. */
    second_factors: WithDefault<FactorKind[]>
    /** Whether the member wants an email when something waits for their approval. */
    approval_mails: WithDefault<boolean>
    created_at: Now
    /** Set when the member is removed. */
    removed_at: Optional<Date>
  }
  sessions: {
    organization_id: number
    id: Generated<number>
    user_id: number
    created_at: Now
    /** Set by a sign-out, a removal or a stolen refresh token. */
    revoked_at: Optional<Date>
    /** The sign-in or the latest refresh. */
    last_used_at: Now
    /** Where the sign-in or the latest refresh came from. */
    address: Optional<string>
    user_agent: Optional<string>
    /** When the user last verified a second factor on this session. */
    factor_verified_at: Optional<Date>
  }
  refresh_tokens: {
    /** A keyed hash: the token itself is not stored. */
    token_hash: Buffer
    organization_id: number
    session_id: number
    /** From then on it is refused. */
    expires_at: Now
    /** A token that is used a second time revokes its session. */
    used_at: Optional<Date>
    /** The pepper of its hash. */
    pepper_id: WithDefault<string>
    /** Held in a browser's cookie: authenticates requests and is not exchanged. */
    is_cookie: WithDefault<boolean>
  }
  registration_invitations: {
    /** A keyed hash: the token itself is not stored. */
    token_hash: Buffer
    /** The only address that may register with it; null: any. */
    email: Optional<string>
    created_at: Date
    /** From then on it is refused. */
    expires_at: Date
    /** When an organization was registered with it; null: not yet. */
    used_at: Optional<Date>
    /** The organization that was registered with it. */
    organization_id: Optional<number>
  }
  address_requests: {
    id: Generated<number>
    /** Sealed: the address and what was requested for it. */
    content: Buffer
    created_at: Now
  }
  account_tokens: {
    /** A keyed hash: the token itself is not stored. */
    token_hash: Buffer
    /** What its holder may do: reset a password, prove an address, confirm a registration. */
    purpose: AccountTokenPurpose
    /** Null for a registration, which has no organization yet. */
    organization_id: Optional<number>
    user_id: Optional<number>
    /** The address that the token was sent to. */
    email: string
    /** Sealed: the registration that waits for its address to be proved. */
    registration: Optional<Buffer>
    created_at: Now
    /** From then on it is refused. */
    expires_at: Date
    /** When it was used; a token works once. */
    used_at: Optional<Date>
  }
  member_invitations: {
    organization_id: number
    id: Generated<number>
    email: string
    /** The role that the person gets. */
    role: Role
    /** A keyed hash: the token itself is not stored. */
    token_hash: Buffer
    /** The invitation is valid only while this member may add the role. */
    invited_by: number
    created_at: Now
    /** From then on it is refused. */
    expires_at: Date
    /** When a member took it back. */
    revoked_at: Optional<Date>
    /** When the person accepted it. */
    accepted_at: Optional<Date>
    /** The member who accepted it. */
    user_id: Optional<number>
  }
  login_attempts: {
    /** A keyed digest of an account and a network address. */
    subject: Buffer
    /** The times of the latest failed sign-ins. */
    attempted_at: Date[]
    /** The last of them; the row is swept some time after it. */
    last_at: Date
  }
  login_account_attempts: {
    /** A keyed digest of an account. */
    subject: Buffer
    /** The times of the latest failed sign-ins, from all addresses. */
    attempted_at: Date[]
    /** The last of them; the row is swept some time after it. */
    last_at: Date
  }
  login_addresses: {
    /** A keyed digest of an account and a network address that it has signed in from. */
    subject: Buffer
    /** The last sign-in from there. */
    last_at: Date
  }
  wallet_profiles: {
    organization_id: number
    id: Generated<number>
    name: string
    /** The profile of wallets that name none; an organization has one. */
    is_default: WithDefault<boolean>
    /** The chains on which its wallets may be registered and plan. */
    enabled_chains: string[]
    /** How long after planning an operation of a client expires. */
    operation_timeout_seconds: number
    created_at: Now
    /** When it was deleted; its keys are disabled. */
    deleted_at: Optional<Date>
  }
  api_keys: {
    organization_id: number
    id: Generated<number>
    name: string
    /** What it sees: its organization, a profile, or as an admin key everything read-only. */
    scope: KeyScope
    /** Null for keys of the whole organization. */
    wallet_profile_id: Optional<number>
    /** A keyed hash: the key itself is not stored. */
    key_hash: Buffer
    /** The pepper of its hash; a use under another one replaces both. */
    pepper_id: WithDefault<string>
    /** The visible part of the key, for people who look for it. */
    preview: string
    created_at: Now
    /** The last request with it; written a while after it. */
    last_used_at: Optional<Date>
    /** When it was revoked; null: it works. */
    revoked_at: Optional<Date>
    /** Null: everything that its scope allows. */
    permissions: Optional<KeyPermission[]>
    /** The networks (CIDR) that it may be used from; null: any. */
    allowed_addresses: Optional<string[]>
    /** Null: never. From then on it is refused like a revoked key. */
    expires_at: Optional<Date>
    /** The user who generated it; null for keys of earlier versions and of the sandbox. */
    created_by: Optional<number>
    /** The key that a rotation made in its place. */
    replaced_by: Optional<number>
    /** Where that request came from. */
    last_used_address: Optional<string>
    /** When an agent last polled with it; null: no agent does. */
    last_polled_at: Optional<Date>
  }
}
