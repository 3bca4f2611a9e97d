import { programDerivedAddress } from './program-derived-address.ts'
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from './programs.ts'

/** Deriving an address costs some hundred microseconds, and the same wallets are asked for again and again. */
const CACHE_SIZE = 20_000
const cache = new Map<string, Promise<string>>()

/** The account in which an owner holds a token: it follows from both, whether it was opened or not. */
export function associatedTokenAddress(owner: string, mint: string): Promise<string> {
  const key = `${owner} ${mint}`
  const found = cache.get(key)
  if (found) return found
  const seeds = [owner, TOKEN_PROGRAM, mint].map((address) => ({ address }))
  const derived = programDerivedAddress(ASSOCIATED_TOKEN_PROGRAM, seeds)
  cache.set(key, derived)
  if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!)
  return derived
}
