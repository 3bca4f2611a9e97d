import type { Chains, Token } from '../chains/index.ts'
import { Failure } from '../kernel/index.ts'

/** The token that a stored row names. Error: CHAIN_UNAVAILABLE when the chain or the token is no longer configured. */
export function requireConfiguredToken(chains: Chains, blockchain: string, address: string): Token {
  const token = chains.get(blockchain)?.network.tokens.find((candidate) => candidate.address === address)
  if (token) return token
  throw new Failure('CHAIN_UNAVAILABLE', { message: `${blockchain} is not served here at the moment.` })
}
