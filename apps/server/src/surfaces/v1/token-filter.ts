import type { Chains } from '../../chains/index.ts'
import { Failure } from '../../kernel/index.ts'

/**
 * A token symbol in any case, as our chains spell it. Error: TOKEN_NOT_FOUND for one that no chain here knows
 * (contract 4).
 */
export function tokenFilter(chains: Chains, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const tokens = [...chains.values()].flatMap(({ network }) => network.tokens)
  const token = tokens.find(({ symbol }) => symbol.toLowerCase() === text.toLowerCase())
  if (!token) throw new Failure('TOKEN_NOT_FOUND')
  return token.symbol
}
