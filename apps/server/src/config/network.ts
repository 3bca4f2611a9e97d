import ipaddr from 'ipaddr.js'

/** A network; a single address is one with all its bits. */
export interface AddressNetwork {
  readonly network: ipaddr.IPv4 | ipaddr.IPv6
  readonly bits: number
}

/** `10.1.0.0/16`, `10.1.2.3` or `fd00::/8`; `undefined` for any other text, including short forms such as `10.1`. */
export function parseNetwork(text: string): AddressNetwork | undefined {
  if (ipaddr.isValidCIDR(text)) {
    const [network, bits] = ipaddr.parseCIDR(text)
    return { network, bits }
  }
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return { network: ipaddr.IPv4.parse(text), bits: 32 }
  if (ipaddr.IPv6.isValid(text)) return { network: ipaddr.IPv6.parse(text), bits: 128 }
  return undefined
}
