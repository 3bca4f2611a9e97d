import type { Chains } from '../../chains/index.ts'
import { Failure } from '../../kernel/index.ts'

/**
 * Resolves a token symbol in any case to its canonical spelling. Error: TOKEN_NOT_FOUND if none of the configured chains
 * has it (contract 4).
 */
export function tokenFilter(chains: Chains, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const tokens = [...chains.values()].flatMap(({ network }) => network.tokens)
  const token = tokens.find(({ symbol }) => symbol.toLowerCase() === text.toLowerCase())
  if (!token) throw new Failure('TOKEN_NOT_FOUND')
  return token.symbol
}
