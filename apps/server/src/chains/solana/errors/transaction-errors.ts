import type { FailureCode } from '../../port/included-transaction.ts'
import { readableText } from '../../port/readable-text.ts'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../addresses/programs.ts'

/** Descriptions of numeric program errors, by program. */
export type ProgramErrors = ReadonlyMap<string, Readonly<Record<number, string>>>

/** The errors of Solana's own programs that plans can meet. */
const NATIVE_PROGRAM_ERRORS: ProgramErrors = new Map([
  [
    TOKEN_PROGRAM,
    {
      0: 'lamport balance below rent-exempt threshold',
      1: 'insufficient funds',
      3: 'account not associated with this mint',
      4: 'owner does not match',
      5: 'fixed supply',
      12: 'a non-native account can only be closed if its balance is zero',
      17: 'account is frozen',
    },
  ],
  [SYSTEM_PROGRAM, { 0: 'account already in use', 1: 'insufficient lamports' }],
])

/** Why a transaction failed. */
export interface DecodedTransactionError {
  readonly code: FailureCode
  readonly reason: string
}

/**
 * Decodes a transaction error as nodes report it: a name, or `{InstructionError: [index, what]}` with a program's
 * number. The logs identify the program that failed, because the instruction's program may have called it.
 */
export function decodeTransactionError(
  error: unknown,
  logs: readonly string[],
  programErrors: ProgramErrors,
): DecodedTransactionError {
  if (typeof error === 'string') {
    const lacks = error === 'InsufficientFundsForFee' || error === 'AccountNotFound'
    return { code: lacks ? 'INSUFFICIENT_FUNDS' : 'REVERTED', reason: toWords(error) }
  }
  const [name, detail] = Object.entries((error ?? {}) as Record<string, unknown>)[0] ?? ['Unknown', undefined]
  if (name === 'InsufficientFundsForRent') return { code: 'INSUFFICIENT_FUNDS', reason: toWords(name) }
  if (name !== 'InstructionError' || !Array.isArray(detail)) return { code: 'REVERTED', reason: toWords(name) }
  const instructionError: unknown = detail[1]
  if (instructionError === 'ComputationalBudgetExceeded')
    return { code: 'OUT_OF_GAS', reason: toWords(instructionError) }
  const number = customNumber(instructionError)
  if (number === undefined) return { code: 'REVERTED', reason: loggedReason(logs) ?? toWords(String(instructionError)) }
  const program = failedProgram(logs)
  const description = program && (programErrors.get(program)?.[number] ?? NATIVE_PROGRAM_ERRORS.get(program)?.[number])
  const lacksLamports = program === SYSTEM_PROGRAM && number === 1
  return {
    code: lacksLamports ? 'INSUFFICIENT_FUNDS' : 'REVERTED',
    reason: description ?? loggedReason(logs) ?? `custom program error ${number}`,
  }
}

function customNumber(instructionError: unknown): number | undefined {
  const custom =
    typeof instructionError === 'object' && instructionError !== null && 'Custom' in instructionError
      ? instructionError.Custom
      : undefined
  return typeof custom === 'number' ? custom : undefined
}

/** The first program that failed: its callers fail with it. */
function failedProgram(logs: readonly string[]): string | undefined {
  return logs.map((line) => /^Program (\w+) failed: /.exec(line)?.[1]).find((program) => program !== undefined)
}

/** The message that a program logged. */
function loggedReason(logs: readonly string[]): string | undefined {
  const line = logs.findLast((text) => /^Program log: (Error: |AnchorError )/.test(text))
  return line === undefined ? undefined : readableText(line.replace(/^Program log: (Error: )?/, ''))
}

/** `InsufficientFundsForFee` in readable words. */
function toWords(name: string): string {
  return readableText(name)
    .replace(/(?<=[a-z])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase()
}
