import type { ColumnType, Generated } from 'kysely'
import type { JsonColumn, Now, Optional, WithDefault } from './column-types.ts'
import type { FactorKind } from './identity-factors.ts'

export type Role = 'owner' | 'admin' | 'approver' | 'viewer'
/** A role that anybody may get by default. */
export type DefaultRole = 'admin' | 'approver' | 'viewer'
export type KeyScope = 'organization' | 'profile' | 'admin'
/** What a key with explicit permissions may do; docs/api-keys.md lists the routes of each. */
export type KeyPermission = 'read' | 'plan' | 'submit' | 'ramp' | 'agent'
/** What the holder of a token that was sent by mail may do with it. */
export type AccountTokenPurpose = 'password_reset' | 'email_verification' | 'registration'
export type AuditActorType = 'user' | 'key' | 'system' | 'service_account'

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
    /** Members who may approve get a mail when something waits for approval. */
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
    /** A password that somebody else set is of no use after this time. */
    password_expires_at: Optional<Date>
    /** Somebody else set the password: the member approves nothing until then. */
    approves_after: Optional<Date>
    /** When the user proved, by a mail, that the address is theirs; null: not proved. */
    email_verified_at: Optional<Date>
    /** An owner who was recovered on the host logs in with a password until then, whatever a provider requires. */
    sso_exempt_until: Optional<Date>
    role: Role
    /** The kinds of second factors that the user has; kept with the rows of the factors. */
    second_factors: WithDefault<FactorKind[]>
    /** Whether the member wants a mail when something waits for their approval. */
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
    /** Set by a logout, a removal or a stolen refresh token. */
    revoked_at: Optional<Date>
    /** The login or the latest refresh. */
    last_used_at: Now
    /** Where the login or the latest refresh came from. */
    address: Optional<string>
    user_agent: Optional<string>
    /** When the user last verified a second factor on this session. */
    factor_verified_at: Optional<Date>
  }
  refresh_tokens: {
    token_hash: Buffer
    organization_id: number
    session_id: number
    expires_at: Now
    /** A token that is used a second time revokes its session. */
    used_at: Optional<Date>
    /** The pepper of its hash. */
    pepper_id: WithDefault<string>
    /** Held in a browser's cookie: authenticates requests and is not exchanged. */
    is_cookie: WithDefault<boolean>
  }
  registration_invitations: {
    token_hash: Buffer
    /** The only address that may register with it; null: any. */
    email: Optional<string>
    created_at: Date
    expires_at: Date
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
    token_hash: Buffer
    purpose: AccountTokenPurpose
    /** Null for a registration, which has no organization yet. */
    organization_id: Optional<number>
    user_id: Optional<number>
    /** The address that the token was sent to. */
    email: string
    /** Sealed: the registration that waits for its address to be proved. */
    registration: Optional<Buffer>
    created_at: Now
    expires_at: Date
    used_at: Optional<Date>
  }
  member_invitations: {
    organization_id: number
    id: Generated<number>
    email: string
    role: Role
    token_hash: Buffer
    /** The invitation is valid only while this member may add the role. */
    invited_by: number
    created_at: Now
    expires_at: Date
    revoked_at: Optional<Date>
    accepted_at: Optional<Date>
    /** The member who accepted it. */
    user_id: Optional<number>
  }
  login_attempts: { subject: Buffer; attempted_at: Date[]; last_at: Date }
  login_account_attempts: { subject: Buffer; attempted_at: Date[]; last_at: Date }
  login_addresses: { subject: Buffer; last_at: Date }
  sso_providers: {
    organization_id: number
    id: Generated<number>
    name: string
    issuer: string
    client_id: string
    /** Sealed. */
    client_secret: Buffer
    scopes: string[]
    /** The claim that says whether the e-mail address is verified. */
    verified_email_claim: string
    /** Null: claims give no roles. */
    role_claim: Optional<string>
    role_mappings: JsonColumn<{ readonly value: string; readonly role: Role }[]>
    /** For members whom no mapping matches; null: they are refused. */
    default_role: Optional<DefaultRole>
    /** Whether claims can make somebody an owner. */
    allow_owner: boolean
    /** Members of its domains sign in nowhere else. */
    enforced: boolean
    /** The owner who may log in with a password all the same. */
    break_glass_user_id: Optional<number>
    created_at: Date
    updated_at: Date
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
    verified_at: Optional<Date>
  }
  sso_identities: {
    organization_id: number
    issuer: string
    subject: string
    user_id: number
    created_at: Date
    last_used_at: Date
  }
  sso_sign_ins: {
    state_hash: Buffer
    /** Of the cookie of the browser that began it. */
    browser_hash: Buffer
    organization_id: number
    provider_id: number
    created_at: Date
    expires_at: Date
    /** When the provider sent the browser back; a state works once. */
    returned_at: Optional<Date>
    /** Who signed in. */
    user_id: Optional<number>
    /** Whether the provider asked for a second factor. */
    second_factor: Optional<boolean>
    code_hash: Optional<Buffer>
    code_expires_at: Optional<Date>
    exchanged_at: Optional<Date>
    session_id: Optional<number>
  }
  wallet_profiles: {
    organization_id: number
    id: Generated<number>
    name: string
    is_default: WithDefault<boolean>
    enabled_chains: string[]
    /** How long after planning an operation of a client expires. */
    operation_timeout_seconds: number
    created_at: Now
    deleted_at: Optional<Date>
  }
  api_keys: {
    organization_id: number
    id: Generated<number>
    name: string
    scope: KeyScope
    /** Null for keys of the whole organization. */
    wallet_profile_id: Optional<number>
    key_hash: Buffer
    /** The pepper of its hash; a use under another one replaces both. */
    pepper_id: WithDefault<string>
    /** The visible part of the key, for people who look for it. */
    preview: string
    created_at: Now
    last_used_at: Optional<Date>
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
    last_used_address: Optional<string>
    /** When an agent last polled with it; null: no agent does. */
    last_polled_at: Optional<Date>
  }
  audit_log: {
    organization_id: number
    id: number
    at: Date
    actor_type: AuditActorType
    actor_id: number | null
    action: string
    object_type: string
    object_id: number | null
    ip_address: string | null
    details: string | null
    previous_hash: Buffer
    hash: Buffer
  }
  audit_anchors: {
    id: number
    at: Date
    digest: Buffer
    previous_digest: Buffer
    token: Optional<Buffer>
    published_at: Optional<Date>
  }
  audit_anchor_heads: { organization_id: number; anchor_id: number; entries: number; hash: Buffer }
  unchained_audit_entries: {
    id: Generated<number>
    organization_id: number
    at: Date
    actor_type: AuditActorType
    actor_id: number | null
    action: string
    object_type: string
    object_id: number | null
    ip_address: string | null
    details: string | null
  }
  security_events: {
    id: string
    at: Date
    last_at: Date
    count: number
    type: string
    organization_id: number | null
    actor_type: AuditActorType | null
    actor_id: number | null
    address: string | null
    user_agent: string | null
    route: string | null
    method: string | null
    status: number | null
    code: string | null
    reason: string | null
    request_id: string | null
  }
  audit_heads: { organization_id: number; entries: WithDefault<number>; hash: WithDefault<Buffer> }
}
