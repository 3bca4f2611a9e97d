import { parseNetwork } from './network.ts'
import type { SettingParser } from './setting-parsers.ts'

/** A comma-separated list of addresses and networks, each as a CIDR: `10.0.0.5, fd00::/8` is `10.0.0.5/32`, `fd00::/8`. */
export const trustedProxies: SettingParser<readonly string[]> = (text) =>
  text.split(',').map((part) => cidrOf(part.trim()))

function cidrOf(text: string): string {
  const parsed = parseNetwork(text)
  // Trusting every address would let each caller choose the address that it is counted under.
  if (parsed && parsed.bits > 0) return `${parsed.network}/${parsed.bits}`
  throw new RangeError('must be addresses and networks (CIDR), separated by commas, and not every address')
}
