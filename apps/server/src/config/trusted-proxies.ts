import ipaddr from 'ipaddr.js'
import type { SettingParser } from './setting-parsers.ts'

/** A comma-separated list of addresses and networks, each as a CIDR: `10.0.0.5, fd00::/8` is `10.0.0.5/32`, `fd00::/8`. */
export const trustedProxies: SettingParser<readonly string[]> = (text) =>
  text.split(',').map((part) => cidrOf(part.trim()))

function cidrOf(text: string): string {
  if (ipaddr.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text)
    // Trusting every address would let each caller choose the address that it is counted under.
    if (bits > 0) return `${address}/${bits}`
  } else if (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)) {
    const address = ipaddr.parse(text)
    return `${address}/${address.kind() === 'ipv4' ? 32 : 128}`
  }
  throw new RangeError('must be addresses and networks (CIDR), separated by commas, and not every address')
}
