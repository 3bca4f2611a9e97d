import type { Chains } from '../../chains/index.ts'
import { Failure } from '../../kernel/index.ts'

interface TokenParts {
  readonly chains: Chains
}

const tokensOf = ({ chains }: TokenParts) => [...chains.values()].flatMap(({ network }) => network.tokens)

/** Resolves a token symbol in any case to its canonical spelling. Error: TOKEN_NOT_FOUND (contract 4). */
export function requireToken(parts: TokenParts, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const token = tokensOf(parts).find(({ symbol }) => symbol.toLowerCase() === text.toLowerCase())
  if (!token) throw new Failure('TOKEN_NOT_FOUND')
  return token.symbol
}

/** The addresses that a token has on the chains, by its symbol in any case. Error: TOKEN_NOT_FOUND (contract 4). */
export function requireTokenAddresses(parts: TokenParts, text: string | undefined): string[] | undefined {
  const wanted = requireToken(parts, text)
  if (wanted === undefined) return undefined
  return tokensOf(parts).flatMap(({ symbol, address }) => (symbol === wanted ? [address] : []))
}
