import type { AllowList, TokenRule } from './allow-list.ts'

/** Serializes a list to JSON that `parseAllowList` reads back into the same list. */
export function allowListJson({ chains }: AllowList): unknown {
  const rules = chains.map((chain) => ({ ...chain, tokens: chain.tokens.map(tokenJson) }))
  return JSON.parse(
    JSON.stringify({ version: 1, chains: rules }, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
}

function tokenJson({ maxAmount, ...token }: TokenRule) {
  if (maxAmount === null) return token
  const digits = String(maxAmount).padStart(token.decimals + 1, '0')
  const whole = digits.slice(0, digits.length - token.decimals)
  return { ...token, maxAmount: `${whole}.${digits.slice(whole.length)}`.replace(/\.$/, '') }
}
