import ipaddr from 'ipaddr.js'

/** Allowed webhook destinations; from SERVICE_ENV and WEBHOOK_ALLOW. */
export interface AddressRules {
  /** Sandbox only: allows plain http and loopback addresses, so that developers can receive webhooks locally. */
  readonly allowLocal: boolean
  /** Additional hosts and networks allowed by the operator. */
  readonly allowed: readonly AllowedDestination[]
}

/** One entry of WEBHOOK_ALLOW. */
type AllowedDestination =
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'network'; readonly network: ipaddr.IPv4 | ipaddr.IPv6; readonly bits: number }

/**
 * Addresses that look public but are not on the internet: cloud metadata services, and addresses that embed another one.
 * ipaddr.js covers the rest; of IPv6, only 2000::/3 is allocated at all.
 */
const RESERVED_IPV4 = ['168.63.129.16/32', '192.175.48.0/24', '192.31.196.0/24', '192.52.193.0/24'].map((text) =>
  ipaddr.IPv4.parseCIDR(text),
)
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether a connection to this address is allowed for this host. `address` is the result of a DNS lookup or the host of
 * the URL, in the form that `net` connects to. Unparseable addresses are rejected.
 */
export function isAddressAllowed(rules: AddressRules, host: string, address: string): boolean {
  if (isHostAllowed(rules, host)) return true
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  // An IPv4-mapped IPv6 address is the same machine, so the rules for the IPv4 address apply.
  const plain = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
  if (rules.allowed.some((entry) => entry.kind === 'network' && within(plain, entry))) return true
  if (plain !== parsed) return rules.allowLocal && plain.range() === 'loopback'
  if (rules.allowLocal && plain.range() === 'loopback') return true
  return isPublicAddress(plain)
}

/** Whether the operator's list contains the host by name. */
export function isHostAllowed(rules: AddressRules, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return rules.allowed.some((entry) => entry.kind === 'host' && entry.host === name)
}

function isPublicAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.zoneId === undefined && address.match(GLOBAL_UNICAST)
  return !RESERVED_IPV4.some((network) => address.match(network))
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, entry: AllowedDestination & { kind: 'network' }): boolean {
  return address.kind() === entry.network.kind() && address.match(entry.network, entry.bits)
}
