import { derivedAddress } from './derived-address.ts'
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from './programs.ts'

/** Deriving an address costs some hundred microseconds, and the same wallets are asked for again and again. */
const KEPT = 20_000
const known = new Map<string, Promise<string>>()

/** The account in which an owner holds a token: it follows from both, whether it was opened or not. */
export function tokenAccountOf(owner: string, mint: string): Promise<string> {
  const key = `${owner} ${mint}`
  const found = known.get(key)
  if (found) return found
  const seeds = [owner, TOKEN_PROGRAM, mint].map((address) => ({ address }))
  const derived = derivedAddress(ASSOCIATED_TOKEN_PROGRAM, seeds)
  known.set(key, derived)
  if (known.size > KEPT) known.delete(known.keys().next().value!)
  return derived
}
