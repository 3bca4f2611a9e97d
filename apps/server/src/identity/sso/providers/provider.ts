import type { Selectable } from 'kysely'
import type { Database, DefaultRole, Role, Schema, Tx } from '../../../database/index.ts'
import { Failure } from '../../../kernel/index.ts'

/** A value of the role claim and the role that it gives. */
export interface RoleMapping {
  readonly value: string
  readonly role: Role
}

/** An identity provider of an organization. The client secret never leaves the service. */
export interface SsoProvider {
  readonly id: number
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly verifiedEmailClaim: string
  /** `null`: claims give no roles. */
  readonly roleClaim: string | null
  readonly roleMappings: readonly RoleMapping[]
  /** `null`: members whom no mapping matches are refused, and so are new ones without a role claim. */
  readonly defaultRole: DefaultRole | null
  /** Whether claims can make somebody an owner, and take it away, and owners sign in here at all. */
  readonly allowOwner: boolean
  readonly enforced: boolean
  readonly breakGlassMemberId: number | null
  /** Whether its own redirect URI is registered at it. Unknown, so false, for one that a version before 0.4.0 added. */
  readonly ownCallback: boolean
  /** Proved domains whose members sign in here, sorted. */
  readonly domains: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

type ProviderRow = Selectable<Schema['sso_providers']>

export function providerFrom(row: ProviderRow, domains: readonly string[]): SsoProvider {
  return {
    id: row.id,
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    scopes: row.scopes,
    verifiedEmailClaim: row.verified_email_claim,
    roleClaim: row.role_claim,
    roleMappings: row.role_mappings,
    defaultRole: row.default_role,
    allowOwner: row.allow_owner,
    enforced: row.enforced,
    breakGlassMemberId: row.break_glass_user_id,
    ownCallback: row.own_callback ?? false,
    domains: domains.toSorted(),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** The column of sealed secrets, for the rotation of keys. */
export const SSO_SEALED_COLUMN = {
  table: 'sso_providers',
  column: 'client_secret',
  key: ['organization_id', 'id'],
  purpose: 'sso',
  label: ({ organization_id, id }: Readonly<Record<string, unknown>>) =>
    secretLabel(Number(organization_id), Number(id)),
} as const

/** The label under which a provider's client secret is sealed. */
export function secretLabel(organizationId: number, providerId: number): string {
  return `sso provider ${organizationId}/${providerId}`
}

/** A provider by its id; NOT_FOUND if it was deleted or belongs to another organization. */
export async function readProvider(
  db: Database | Tx,
  { organizationId, providerId }: { readonly organizationId: number; readonly providerId: number },
): Promise<{ readonly provider: SsoProvider; readonly sealedSecret: Buffer }> {
  const row = await db
    .selectFrom('sso_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', providerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new Failure('NOT_FOUND', { message: 'The identity provider does not exist.' })
  const domains = await db
    .selectFrom('sso_domains')
    .select('domain')
    .where('organization_id', '=', organizationId)
    .where('provider_id', '=', providerId)
    .execute()
  const provider = providerFrom(
    row,
    domains.map(({ domain }) => domain),
  )
  return { provider, sealedSecret: row.client_secret }
}
