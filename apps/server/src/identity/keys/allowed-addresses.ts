import ipaddr from 'ipaddr.js'
import { API_KEY_ALLOWED_ADDRESSES_MAX, validationError } from '../../kernel/index.ts'

/** Addresses and networks as CIDRs: `10.0.0.5` is `10.0.0.5/32`. VALIDATION_ERROR at the first that is neither. */
export function validateAllowedAddresses(addresses: readonly string[]): string[] {
  if (addresses.length === 0 || addresses.length > API_KEY_ALLOWED_ADDRESSES_MAX)
    throw validationError('allowedAddresses', `must have 1 to ${API_KEY_ALLOWED_ADDRESSES_MAX} entries`)
  return [...new Set(addresses.map((text, index) => networkOf(text.trim(), `allowedAddresses[${index}]`)))]
}

/** Whether an address is in one of the networks. Text that is no address is in none. */
export function isAddressAllowed(networks: readonly string[], address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === caller.kind() && caller.match(base, bits)
  })
}

/** IPv4 in full (`10.1` is ambiguous). An IPv4 address written as IPv6 would never match, so it is refused. */
function networkOf(text: string, path: string): string {
  const [address = '', bits] = text.split('/')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  if (isAddress && !address.includes('%')) {
    const parsed = ipaddr.parse(address)
    const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()
    const longest = parsed.kind() === 'ipv4' ? 32 : 128
    if (!isMapped && (bits === undefined || /^\d{1,3}$/.test(bits)) && Number(bits ?? longest) <= longest)
      if (text.split('/').length <= 2) return `${parsed.toString()}/${Number(bits ?? longest)}`
  }
  throw validationError(path, 'must be an IPv4 or IPv6 address, or a network in CIDR notation')
}
