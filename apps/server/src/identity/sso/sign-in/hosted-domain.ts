import { normalizeDomain } from '../../shared/email-domain.ts'
import type { SsoProvider } from '../providers/provider.ts'
import type { VerifiedClaims } from './oidc-client.ts'
import { refuseSignIn } from './refuse-sign-in.ts'

/** One issuer for the accounts of every organization and of everybody else. */
const GOOGLE = 'https://accounts.google.com'

/**
 * Anybody can open an account at Google under an address of a company, and keep it after they have left. Only an account
 * that the company manages has the claim `hd`, with its primary domain. FORBIDDEN (`domain_not_proved`) for other
 * accounts of Google, linked or not; one that is not linked needs a domain of the provider there.
 */
export function requireHostedAccount(
  { issuer, domains }: Pick<SsoProvider, 'issuer' | 'domains'>,
  { claims }: Pick<VerifiedClaims, 'claims'>,
  { isLinked }: { readonly isLinked: boolean },
): void {
  if (issuer !== GOOGLE) return
  const hosted = typeof claims.hd === 'string' ? normalizeDomain(claims.hd) : undefined
  if (hosted === undefined || (!isLinked && !domains.includes(hosted))) refuseSignIn('domain_not_proved')
}
