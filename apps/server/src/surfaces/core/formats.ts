import Type from 'typebox'
import { formatDecimal, parseDecimal, validationError } from '../../kernel/index.ts'
import type { OperationTransaction } from '../../operations/index.ts'
import { id } from '../http/index.ts'

/** How the core surface writes money, rates and times (spec 2.1, contract 1). */

/** A decimal amount as text: two digits after the point or more. */
export const decimal = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+\\.[0-9]{2,}$', description, examples: ['900.00'] })

/** A rate as text with a percent sign and two digits. */
export const percentText = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+\\.[0-9]{2}%$', description, examples: ['6.00%'] })

/** A decimal fraction as such a text: 0.06 is `6.00%`. */
export function percent(fraction: number): string {
  return `${twoDigits(fraction)}%`
}

/** The same without the sign, for the fields that carry none (contract 1). */
export function twoDigits(fraction: number): string {
  const text = (fraction * 100).toFixed(2)
  return text === '-0.00' ? '0.00' : text
}

export const Amount = Type.Object(
  {
    amount: decimal('Decimal amount.'),
    currency: Type.String({ description: 'Token symbol.', examples: ['USDC'] }),
  },
  { $id: 'Amount', description: 'An amount of a token.' },
)

/** Base units of a token as an Amount. */
export function amountOf(amount: bigint, token: { decimals: number; symbol: string }) {
  return { amount: formatDecimal(amount, token.decimals), currency: token.symbol }
}

export const DualTime = Type.Object(
  {
    iso: Type.String({ format: 'date-time', description: 'ISO 8601.' }),
    unix: Type.Integer({ description: 'Seconds since 1970.' }),
  },
  { $id: 'DualTime', description: 'A moment in both forms.' },
)

/** A moment in both forms; `null` while it has not come. */
export const dualTime = (at: Date) => ({ iso: at.toISOString(), unix: Math.floor(at.getTime() / 1_000) })
export const dualTimeOrNull = (at: Date | null) => (at === null ? null : dualTime(at))

/** The field keeps its description where it may be null. */
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const named = 'Operational wallet; null for a wallet that nobody watches over for this token.'
/** Both names of an operational wallet (spec 1, contract 1). */
export const opWalletFields = {
  opWalletId: orNull(id('Operational wallet id.'), named),
  managedWalletId: orNull(id('Operational wallet id.'), 'The same as opWalletId.'),
}
export const presentOpWalletIds = (opWalletId: number | null) => ({ opWalletId, managedWalletId: opWalletId })

/** What a transaction of an operation does, as core says it (contract 1). */
export const STEP_TYPES = {
  approve_reset: 'APPROVE_TOKEN',
  approve: 'APPROVE_TOKEN',
  supply: 'SUPPLY_TO_PROVIDER',
  unwind: 'UNWIND_FROM_PROVIDER',
} as const satisfies Record<OperationTransaction['kind'], string>
export const StepType = Type.Enum(['APPROVE_TOKEN', 'SUPPLY_TO_PROVIDER', 'UNWIND_FROM_PROVIDER'], {
  description: 'Which part of the operation it is.',
})

/** The operational wallet that a request names by either name. Error: VALIDATION_ERROR when they differ (contract 7). */
export function requestedOpWalletId(named: {
  opWalletId?: number | undefined
  managedWalletId?: number | undefined
}): number | undefined {
  const { opWalletId, managedWalletId } = named
  if (opWalletId !== undefined && managedWalletId !== undefined && opWalletId !== managedWalletId) {
    throw validationError('managedWalletId', 'must name the same operational wallet as opWalletId')
  }
  return opWalletId ?? managedWalletId
}

/** One of a few upper-case words, in any case (contract 1). Error: VALIDATION_ERROR. */
export function enumValueOf<W extends string>(path: string, text: string, words: readonly W[]): W {
  const word = words.find((candidate) => candidate.toUpperCase() === text.toUpperCase())
  if (word === undefined) throw validationError(path, `must be one of ${words.join(', ')}`)
  return word
}

/** A decimal amount above zero, in base units (contract 4). Error: VALIDATION_ERROR. */
export function positiveDecimal(path: string, text: string, token: { decimals: number; symbol: string }): bigint {
  const amount = parseDecimal(text, token.decimals)
  if (amount !== undefined && amount > 0n) return amount
  throw validationError(
    path,
    `must be a decimal amount of ${token.symbol} above zero with at most ${token.decimals} digits`,
  )
}
