import { Resolver } from 'node:dns/promises'
import { roleRules } from '../../changes/index.ts'
import type { Config } from '../../config.ts'
import type { SsoConnections } from '../../identity/index.ts'
import {
  createSealer,
  DOMAIN_DNS_TIMEOUT,
  type RandomSource,
  SSO_RESPONSE_BYTES_MAX,
  SSO_TIMEOUT_MS,
} from '../../kernel/index.ts'
import { type AddressRules, createGuardedAgent, createGuardedFetch, urlProblem } from '../../webhooks/index.ts'
import type { KeyRings } from '../keys/key-rings.ts'

interface SsoOptions {
  readonly random: RandomSource
  readonly publicUrl: string
}

/** What single sign-on needs from outside: a key, guarded connections to identity providers, and name servers. */
export function ssoConnections(
  config: Pick<Config, 'environment' | 'ssoAllow' | 'dnsServers'>,
  secrets: Pick<KeyRings, 'encryption'>,
  { random, publicUrl }: SsoOptions,
): SsoConnections {
  const allowHttp = config.environment === 'sandbox'
  const rules: AddressRules = { allowLocal: allowHttp, allowed: config.ssoAllow ?? [] }
  const limits = { timeoutMs: SSO_TIMEOUT_MS, bytesMax: SSO_RESPONSE_BYTES_MAX }
  return {
    sealer: createSealer(secrets.encryption, 'sso', random),
    fetch: createGuardedFetch(createGuardedAgent(rules), limits),
    issuerProblem: (url) => urlProblem(rules, url),
    resolveTxt: createTxtResolver(config.dnsServers),
    callbackUrl: `${publicUrl}/api/core/auth/sso/callback`,
    roleRules,
    allowHttp,
  }
}

/** Reads TXT records at these name servers, or at those of the host. A record in several parts is one text. */
function createTxtResolver(servers: readonly string[] | undefined): SsoConnections['resolveTxt'] {
  const resolver = new Resolver(DOMAIN_DNS_TIMEOUT)
  if (servers !== undefined) resolver.setServers(servers)
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENOTFOUND' || code === 'ENODATA') return []
      throw error
    }
  }
}
