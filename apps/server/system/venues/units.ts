import { parseDecimal } from '../../src/kernel/index.ts'

/** An amount of USDC or USDT as the service writes it, in base units; throws for anything else. */
export function units(text: string): bigint {
  const value = parseDecimal(text, 6)
  if (value === undefined) throw new Error(`not an amount with at most six decimals: ${text}`)
  return value
}
