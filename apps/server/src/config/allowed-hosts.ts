import ipaddr from 'ipaddr.js'
import { type AddressNetwork, parseNetwork } from './network.ts'
import type { SettingParser } from './setting-parsers.ts'

/** A host or network that the operator allows. */
export type AllowedHost =
  | { readonly kind: 'host'; readonly host: string }
  | ({ readonly kind: 'network' } & AddressNetwork)

/** A comma-separated list: `10.1.0.0/16`, `10.1.2.3`, `fd00::/8`, `hooks.internal.example`. */
export const allowedHosts: SettingParser<readonly AllowedHost[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim())
  return parts.map((part) => {
    const allowed = parseAllowedHost(part)
    if (!allowed) throw new RangeError('must be hosts, addresses and networks (CIDR), separated by commas')
    return allowed
  })
}

function parseAllowedHost(text: string): AllowedHost | undefined {
  const network = parseNetwork(text)
  if (network) return { kind: 'network', ...network }
  const host = text.toLowerCase().replace(/\.$/, '')
  const isName = /^(?=.*[a-z])[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(host)
  // Clients that connect to 0x7f.1 treat it as an address.
  return isName && !ipaddr.isValid(host) ? { kind: 'host', host } : undefined
}
