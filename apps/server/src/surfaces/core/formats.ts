import Type from 'typebox'
import { formatDecimal, parseDecimal, validationError } from '../../kernel/index.ts'
import type { OperationTransaction } from '../../operations/index.ts'
import { id } from '../http/index.ts'

/** How the core surface writes money, rates and times (spec 2.1, contract 1). */

/** A decimal amount as a string with at least two decimal places. */
export const decimal = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+\\.[0-9]{2,}$', description, examples: ['900.00'] })

/** A rate as a string with two decimal places and a percent sign. */
export const percentText = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+\\.[0-9]{2}%$', description, examples: ['6.00%'] })

/** Formats a fraction: 0.06 is `6.00%`. */
export function percent(fraction: number): string {
  return `${twoDigits(fraction)}%`
}

/** The same without the percent sign, for fields without one (contract 1). */
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

/** An amount in a request. */
export const amountText = Type.String({ description: 'Decimal amount of the token, above zero.', examples: ['500.00'] })

/** Converts base units of a token to an Amount. */
export function amountOf(amount: bigint, token: { decimals: number; symbol: string }) {
  return { amount: formatDecimal(amount, token.decimals), currency: token.symbol }
}

export const DualTime = Type.Object(
  {
    iso: Type.String({ format: 'date-time', description: 'ISO 8601.' }),
    unix: Type.Integer({ description: 'Seconds since 1970.' }),
  },
  { $id: 'DualTime', description: 'A point in time in both formats.' },
)

/** A point in time in both formats. */
export const dualTime = (at: Date) => ({ iso: at.toISOString(), unix: Math.floor(at.getTime() / 1_000) })
export const dualTimeOrNull = (at: Date | null) => (at === null ? null : dualTime(at))

/** Makes a field nullable without losing its description. */
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const opWalletText = 'Operational wallet id; null if the wallet is not operational for this token.'
/** Both names of an operational wallet (spec 1, contract 1). */
export const opWalletFields = {
  opWalletId: orNull(id('Operational wallet id.'), opWalletText),
  managedWalletId: orNull(id('Operational wallet id.'), 'Alias of opWalletId.'),
}
export const presentOpWalletIds = (opWalletId: number | null) => ({ opWalletId, managedWalletId: opWalletId })

/** Step types of the core surface, by kind of transaction (contract 1). */
export const STEP_TYPES = {
  approve_reset: 'APPROVE_TOKEN',
  approve: 'APPROVE_TOKEN',
  revoke: 'APPROVE_TOKEN',
  supply: 'SUPPLY_TO_PROVIDER',
  unwind: 'UNWIND_FROM_PROVIDER',
  exit_request: 'UNWIND_FROM_PROVIDER',
  exit_claim: 'UNWIND_FROM_PROVIDER',
} as const satisfies Record<OperationTransaction['kind'], string>
export const StepType = Type.Enum(['APPROVE_TOKEN', 'SUPPLY_TO_PROVIDER', 'UNWIND_FROM_PROVIDER'], {
  description: 'What the step does.',
})

/** The operational wallet id from either field of a request. Error: VALIDATION_ERROR if they differ (contract 7). */
export function requestedOpWalletId(ids: {
  opWalletId?: number | undefined
  managedWalletId?: number | undefined
}): number | undefined {
  const { opWalletId, managedWalletId } = ids
  if (opWalletId !== undefined && managedWalletId !== undefined && opWalletId !== managedWalletId) {
    throw validationError('managedWalletId', 'must equal opWalletId')
  }
  return opWalletId ?? managedWalletId
}

/** Parses an enum value, case-insensitively (contract 1). Error: VALIDATION_ERROR. */
export function enumValueOf<W extends string>(path: string, text: string, words: readonly W[]): W {
  const word = words.find((candidate) => candidate.toUpperCase() === text.toUpperCase())
  if (word === undefined) throw validationError(path, `must be one of ${words.join(', ')}`)
  return word
}

/** The same for a parameter that may be absent. Error: VALIDATION_ERROR. */
export const optionalEnumValueOf = <W extends string>(
  path: string,
  text: string | undefined,
  words: readonly W[],
): W | undefined => (text === undefined ? undefined : enumValueOf(path, text, words))

/** Parses a decimal amount above zero into base units (contract 4). Error: VALIDATION_ERROR. */
export function positiveDecimal(path: string, text: string, token: { decimals: number; symbol: string }): bigint {
  const amount = parseDecimal(text, token.decimals)
  if (amount !== undefined && amount > 0n) return amount
  throw validationError(
    path,
    `must be a decimal amount of ${token.symbol} above zero with at most ${token.decimals} decimal places`,
  )
}
