import Type from 'typebox'
import { validationError } from '../../../kernel/index.ts'

/** A share as text: percent with at most two decimal places. */
export const shareText = (description: string) =>
  Type.String({ pattern: '^[0-9]{1,3}(\\.[0-9]{1,2})?$', description, examples: ['40.00'] })

/** Parses a percentage into hundredths of a percent. Error: VALIDATION_ERROR. */
export function bpsOf(path: string, text: string): number {
  const [whole = '', fraction = ''] = text.split('.')
  const bps = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  if (bps <= 10_000) return bps
  throw validationError(path, 'must be at most 100')
}

export const textOf = (bps: number): string => (bps / 100).toFixed(2)
