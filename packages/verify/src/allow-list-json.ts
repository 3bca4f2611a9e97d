import type { AllowList, TokenRule } from './allow-list.ts'
import { decimalText } from './intent.ts'

/** Serializes a list to JSON that `parseAllowList` reads back into the same list. */
export function allowListJson({ chains }: AllowList): unknown {
  const rules = chains.map((chain) => ({ ...chain, tokens: chain.tokens.map(tokenJson) }))
  return JSON.parse(
    JSON.stringify({ version: 1, chains: rules }, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
}

function tokenJson({ maxAmount, ...token }: TokenRule) {
  if (maxAmount === null) return token
  return { ...token, maxAmount: decimalText(maxAmount, token.decimals) }
}
