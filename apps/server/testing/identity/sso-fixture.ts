import type { UserCredential } from '../../src/identity/index.ts'
import { approveDomain, createProvider, type SsoParts, type SsoProvider } from '../../src/identity/index.ts'
import { ringOf, systemRandomSource } from '../../src/kernel/index.ts'
import { ssoConnections } from '../../src/main/compose/sso-connections.ts'
import { type IdentityFixture, identityFixture, organization } from './identity-fixture.ts'
import { type MailFixture, mailFixture } from './mail-fixture.ts'

export const PUBLIC_URL = 'http://127.0.0.1:3000'

/** Real parts of single sign-on on a separate database. TXT records are those that a test puts into `records`. */
export interface SsoFixture extends IdentityFixture, SsoParts {
  readonly clock: IdentityFixture['clock']
  readonly records: Map<string, readonly string[]>
}

export async function ssoFixture(): Promise<SsoFixture> {
  const records = new Map<string, readonly string[]>()
  return { ...withSso(await identityFixture(), records), records }
}

/** The same, with a queue of emails. */
export async function ssoMailFixture(): Promise<SsoFixture & MailFixture> {
  const records = new Map<string, readonly string[]>()
  return { ...withSso(await mailFixture(), records), records }
}

/** Adds real connections to parts; TXT records are those of `records`. */
export function withSso<P>(parts: P, records: ReadonlyMap<string, readonly string[]> = new Map()) {
  const config = { environment: 'sandbox' as const, ssoAllow: undefined, dnsServers: undefined }
  const secrets = { encryption: ringOf('0e'.repeat(32)) }
  const connections = ssoConnections(config, secrets, { random: systemRandomSource, publicUrl: PUBLIC_URL })
  const resolveTxt = async (name: string) => records.get(name) ?? []
  return { ...parts, sso: { ...connections, resolveTxt } }
}

let proved = 0

/** The fields of a new provider in a test. */
export const providerInput = (issuer = 'http://127.0.0.1:9') => ({
  name: 'Directory',
  issuer,
  clientId: 'weir',
  clientSecret: 'a-secret-of-the-tests-for-weir-at-the-provider',
})

/** An organization with a proved domain and a provider that has it. */
export async function organizationWithSso(
  parts: SsoFixture,
  { issuer, ...more }: Partial<Parameters<typeof createProvider>[2]> = {},
): Promise<{ readonly owner: UserCredential; readonly domain: string; readonly provider: SsoProvider }> {
  const { owner } = await organization(parts)
  proved += 1
  const domain = `company${proved}.example`
  await approveDomain(parts, { organizationId: owner.organizationId, name: domain })
  const input = { ...providerInput(issuer), defaultRole: 'viewer' as const, domains: [domain], ...more }
  return { owner, domain, provider: await createProvider(parts, owner, input) }
}
