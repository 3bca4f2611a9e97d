import type { Token } from '../chains/index.ts'
import { parseDecimal, validationError } from '../kernel/index.ts'

/** A buffer from the core surface's decimal text, in base units; zero is allowed. Error: VALIDATION_ERROR. */
export function parseBuffer(text: string, token: Pick<Token, 'decimals' | 'symbol'>): bigint {
  const amount = parseDecimal(text, token.decimals)
  if (amount === undefined) {
    throw validationError(
      'bufferAmount',
      `must be a decimal amount of ${token.symbol} with at most ${token.decimals} digits`,
    )
  }
  return amount
}
