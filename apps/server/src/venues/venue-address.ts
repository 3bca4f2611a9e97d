import { assert } from '../kernel/index.ts'
import type { Strategy } from './port.ts'

/**
 * The address that names a strategy's venue to people: Aave's pool, Kamino's reserve, Compound's Comet, Jupiter Lend's
 * market, or the vault.
 */
export function venueAddress({
  key,
  params: { pool, reserve, comet, lending, vault },
}: Pick<Strategy, 'key' | 'params'>): string {
  const address = pool ?? reserve ?? comet ?? lending ?? vault
  assert(address !== undefined, `strategy ${key} has an address`)
  return address
}
