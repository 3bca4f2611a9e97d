import { Failure, type Parsed, parseBaseUnits, validationError } from '../../kernel/index.ts'

/** An amount as v1 writes it, base units as digits; INVALID_AMOUNT when it is malformed. */
export function parseAmount(text: string): Parsed<bigint> {
  return parseBaseUnits(text) ?? new Failure('INVALID_AMOUNT')
}

/** An amount, or the whole position: exactly one of the two. Error: VALIDATION_ERROR. */
export function parseUnwindAmount(text: string | undefined, full: boolean): Parsed<bigint> | 'full' {
  if (full && text !== undefined) throw validationError('amount', 'cannot be combined with fullWithdrawal')
  if (full) return 'full'
  if (text === undefined) throw validationError('amount', 'is required unless fullWithdrawal is true')
  return parseAmount(text)
}
