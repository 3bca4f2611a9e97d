import type { Role } from '../../../database/index.ts'
import { SSO_CLAIM_VALUES_MAX } from '../../../kernel/index.ts'
import { ROLES_BY_RIGHTS } from '../../members/member.ts'
import type { SsoProvider } from './provider.ts'

type Claims = Readonly<Record<string, unknown>>

/**
 * The role that a provider's claims give: the highest of all mappings that match, else the default role, else none. A
 * mapping to `owner` counts only while the provider allows it. Without a role claim, only the default role for new
 * members remains.
 */
export function roleFromClaims(
  provider: Pick<SsoProvider, 'roleClaim' | 'roleMappings' | 'defaultRole' | 'allowOwner'>,
  claims: Claims,
): Role | undefined {
  const values = new Set(provider.roleClaim === null ? [] : valuesOf(claimAt(claims, provider.roleClaim)))
  const given = provider.roleMappings.flatMap(({ value, role }) =>
    values.has(value) && (role !== 'owner' || provider.allowOwner) ? [role] : [],
  )
  const highest = ROLES_BY_RIGHTS.findLast((role) => given.includes(role))
  return highest ?? provider.defaultRole ?? undefined
}

/**
 * A claim by its name. Names may contain dots (`https://acme.example/roles`); if no claim has the whole name, each dot
 * leads one level down (`realm_access.roles`).
 */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let node: unknown = claims
  for (const part of name.split('.')) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, part)) return undefined
    node = (node as Claims)[part]
  }
  return node
}

/** A role claim is one text or a list of them; anything else gives no role. */
function valuesOf(claim: unknown): string[] {
  const list = Array.isArray(claim) ? claim.slice(0, SSO_CLAIM_VALUES_MAX) : [claim]
  return list.filter((value) => typeof value === 'string')
}
