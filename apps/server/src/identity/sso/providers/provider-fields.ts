import type { DefaultRole, Tx } from '../../../database/index.ts'
import { SSO_ISSUER_LENGTH_MAX, validationError } from '../../../kernel/index.ts'
import { normalizeDomain } from '../../shared/email-domain.ts'
import type { SsoConnections } from '../parts.ts'
import type { RoleMapping } from './provider.ts'

/** The changeable fields of a provider, without its secret. Shapes and lengths are checked by the surface. */
export interface ProviderFields {
  readonly name: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly verifiedEmailClaim: string
  readonly roleClaim: string | null
  readonly roleMappings: readonly RoleMapping[]
  readonly defaultRole: DefaultRole | null
  readonly allowOwner: boolean
  readonly enforced: boolean
  readonly breakGlassMemberId: number | null
  readonly domains: readonly string[]
}

/** The defaults of a new provider. */
export const PROVIDER_DEFAULTS = {
  scopes: ['openid', 'email', 'profile'],
  verifiedEmailClaim: 'email_verified',
  roleClaim: null,
  roleMappings: [],
  defaultRole: null,
  allowOwner: false,
  enforced: false,
  breakGlassMemberId: null,
  domains: [],
} as const satisfies Partial<ProviderFields>

/** Fields that a request names; `undefined` counts as absent. */
export type GivenFields = { readonly [Field in keyof ProviderFields]?: ProviderFields[Field] | undefined }

/** The fields, with those that a request names replaced. */
export function withGiven(fields: ProviderFields, given: GivenFields): ProviderFields {
  const named = Object.entries(given).filter(([name, value]) => value !== undefined && name in fields)
  return { ...fields, ...Object.fromEntries(named) }
}

/** An issuer in the form in which it is stored. VALIDATION_ERROR at `issuer` unless the service may connect to it. */
export function validateIssuer({ issuerProblem }: Pick<SsoConnections, 'issuerProblem'>, text: string): string {
  if (text.length > SSO_ISSUER_LENGTH_MAX)
    throw validationError('issuer', `must have at most ${SSO_ISSUER_LENGTH_MAX} characters`)
  const problem = issuerProblem(text)
  if (problem !== undefined) throw validationError('issuer', problem)
  const url = new URL(text)
  if (url.search !== '' || url.hash !== '') throw validationError('issuer', 'must be without query and fragment')
  if (url.pathname.includes('/.well-known/'))
    throw validationError('issuer', 'must be the issuer, without /.well-known/openid-configuration')
  return url.pathname === '/' ? url.origin : url.href
}

/** VALIDATION_ERROR for fields that contradict each other. */
export function validateProviderFields(fields: ProviderFields): void {
  if (!fields.scopes.includes('openid')) throw validationError('scopes', 'must include openid')
  const values = fields.roleMappings.map(({ value }) => value)
  if (new Set(values).size < values.length) throw validationError('roleMappings', 'must name each value once')
  if (values.length > 0 && fields.roleClaim === null)
    throw validationError('roleClaim', 'is required with roleMappings')
  if (!fields.allowOwner && fields.roleMappings.some(({ role }) => role === 'owner'))
    throw validationError('roleMappings', 'must not give the role owner unless allowOwner is true')
  if (fields.enforced && fields.domains.length === 0)
    throw validationError('enforced', 'requires a proved domain in domains')
}

/** VALIDATION_ERROR at `breakGlassMemberId` unless it names an owner of the organization. */
export async function requireOwnerForBreakGlass(
  tx: Tx,
  organizationId: number,
  memberId: number | null,
): Promise<void> {
  if (memberId === null) return
  const owner = await tx
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (owner === undefined) throw validationError('breakGlassMemberId', 'must be an owner of the organization')
}

/**
 * Assigns exactly these domains to a provider. VALIDATION_ERROR at `domains` unless the organization has proved each of
 * them and no other provider has it.
 */
export async function assignDomains(
  tx: Tx,
  { organizationId, providerId }: { readonly organizationId: number; readonly providerId: number },
  names: readonly string[],
): Promise<string[]> {
  const domains = [...new Set(names.map((name) => normalizeDomain(name) ?? name))]
  await tx
    .updateTable('sso_domains')
    .set({ provider_id: null })
    .where('organization_id', '=', organizationId)
    .where('provider_id', '=', providerId)
    .execute()
  if (domains.length === 0) return []
  const assigned = await tx
    .updateTable('sso_domains')
    .set({ provider_id: providerId })
    .where('organization_id', '=', organizationId)
    .where('domain', 'in', domains)
    .where('verified_at', 'is not', null)
    .where('provider_id', 'is', null)
    .returning('domain')
    .execute()
  const found = new Set(assigned.map(({ domain }) => domain))
  const missing = domains.find((domain) => !found.has(domain))
  if (missing !== undefined)
    throw validationError('domains', 'must be domains that the organization has proved and no other provider has')
  return domains
}
