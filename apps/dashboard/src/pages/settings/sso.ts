import type { Schema } from '../../api/types.ts'

export type Provider = Schema<'SsoProvider'>

export const PROVIDERS = '/api/core/sso/providers'
export const DOMAINS = '/api/core/sso/domains'

/** What an owner enters about a provider. A secret that stays empty is not sent. */
export interface ProviderContent {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly domains: readonly string[]
  readonly roleClaim: string
  /** `treasury-approvers = approver`, a line each. */
  readonly roleMappings: string
  /** Empty: whom no mapping matches is refused. */
  readonly defaultRole: string
}

const ROLES = ['owner', 'admin', 'approver', 'viewer'] as const
type Role = (typeof ROLES)[number]

export const contentOf = (provider: Provider): ProviderContent => ({
  name: provider.name,
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: '',
  domains: provider.domains,
  roleClaim: provider.roleClaim ?? '',
  roleMappings: provider.roleMappings.map(({ value, role }) => `${value} = ${role}`).join('\n'),
  defaultRole: provider.defaultRole ?? '',
})

export const EMPTY: ProviderContent = {
  name: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  domains: [],
  roleClaim: '',
  roleMappings: '',
  defaultRole: 'viewer',
}

/** Values of the claim and their roles; undefined if a line is neither. */
export function mappingsOf(text: string): { readonly value: string; readonly role: Role }[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const mappings = lines.flatMap((line) => {
    const at = line.lastIndexOf('=')
    const role = ROLES.find(
      (each) =>
        each ===
        line
          .slice(at + 1)
          .trim()
          .toLowerCase(),
    )
    const value = line.slice(0, at).trim()
    return at > 0 && role !== undefined && value !== '' ? [{ value, role }] : []
  })
  return mappings.length === lines.length ? mappings : undefined
}

/** The fields that a request names for both a new provider and one that changes. */
export function bodyOf({
  name,
  clientId,
  clientSecret,
  domains,
  roleClaim,
  roleMappings,
  defaultRole,
}: ProviderContent) {
  return {
    name: name.trim(),
    clientId: clientId.trim(),
    ...(clientSecret !== '' && { clientSecret }),
    domains,
    roleClaim: roleClaim.trim() || null,
    roleMappings: mappingsOf(roleMappings) ?? [],
    defaultRole: defaultRole || null,
  }
}
