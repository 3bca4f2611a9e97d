import ipaddr from 'ipaddr.js'

/** Where webhooks may be sent to; from SERVICE_ENV and WEBHOOK_ALLOW. */
export interface AddressRules {
  /** In sandbox, so that developers receive webhooks on their own machine: plain http, and loopback addresses. */
  readonly allowLocal: boolean
  /** Hosts and networks that the operator opens beside what is open to all. */
  readonly allowed: readonly AllowedDestination[]
}

/** One entry of WEBHOOK_ALLOW. */
type AllowedDestination =
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'network'; readonly network: ipaddr.IPv4 | ipaddr.IPv6; readonly bits: number }

/**
 * Public in their form, and yet not the internet: what a cloud answers machines on, and what carries another address
 * inside. ipaddr.js knows the rest; beyond it, only 2000::/3 is given out at all.
 */
const RESERVED_IPV4 = ['168.63.129.16/32', '192.175.48.0/24', '192.31.196.0/24', '192.52.193.0/24'].map((text) =>
  ipaddr.IPv4.parseCIDR(text),
)
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether a connection to this address may be made for the sake of this host. `address` is what a look-up gave or what
 * the URL says, in the form that `net` connects to. What cannot be read as an address is refused.
 */
export function isAddressAllowed(rules: AddressRules, host: string, address: string): boolean {
  if (isHostAllowed(rules, host)) return true
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  // The same machine, whichever way it is written: only what is open as IPv4 may be reached as mapped IPv6.
  const plain = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
  if (rules.allowed.some((place) => place.kind === 'network' && within(plain, place))) return true
  if (plain !== parsed) return rules.allowLocal && plain.range() === 'loopback'
  if (rules.allowLocal && plain.range() === 'loopback') return true
  return isPublicAddress(plain)
}

/** Whether the operator's list names the host itself. */
export function isHostAllowed(rules: AddressRules, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return rules.allowed.some((place) => place.kind === 'host' && place.host === name)
}

function isPublicAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.zoneId === undefined && address.match(GLOBAL_UNICAST)
  return !RESERVED_IPV4.some((network) => address.match(network))
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, place: AllowedDestination & { kind: 'network' }): boolean {
  return address.kind() === place.network.kind() && address.match(place.network, place.bits)
}
