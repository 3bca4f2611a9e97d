import { TOKEN_ADDRESSES_CACHED_MAX } from '../../../kernel/index.ts'
import { programDerivedAddress } from './program-derived-address.ts'
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from './programs.ts'

const cache = new Map<string, Promise<string>>()

/** The account in which an owner holds a token; derived from both, whether or not it was opened. */
export function associatedTokenAddress(owner: string, mint: string): Promise<string> {
  const key = `${owner} ${mint}`
  const found = cache.get(key)
  if (found) return found
  const seeds = [owner, TOKEN_PROGRAM, mint].map((address) => ({ address }))
  const derived = programDerivedAddress(ASSOCIATED_TOKEN_PROGRAM, seeds)
  cache.set(key, derived)
  if (cache.size > TOKEN_ADDRESSES_CACHED_MAX) cache.delete(cache.keys().next().value!)
  return derived
}
