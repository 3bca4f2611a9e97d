import type { FailureCode } from '../port/chain.ts'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs.ts'

/** Words for the numbers that programs fail with, by program. */
export type ProgramErrors = ReadonlyMap<string, Readonly<Record<number, string>>>

/** Those of Solana's own programs that plans meet. */
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
 * Reads a transaction error as nodes tell it: a name, or `{InstructionError: [index, what]}` with the number that a
 * program gave. The program that failed is told by the logs: the one that an instruction names may have called it.
 */
export function decodeTransactionError(
  error: unknown,
  logs: readonly string[],
  known: ProgramErrors,
): DecodedTransactionError {
  if (typeof error === 'string') {
    const lacks = error === 'InsufficientFundsForFee' || error === 'AccountNotFound'
    return { code: lacks ? 'INSUFFICIENT_FUNDS' : 'REVERTED', reason: toWords(error) }
  }
  const [name, detail] = Object.entries((error ?? {}) as Record<string, unknown>)[0] ?? ['Unknown', undefined]
  if (name === 'InsufficientFundsForRent') return { code: 'INSUFFICIENT_FUNDS', reason: toWords(name) }
  if (name !== 'InstructionError' || !Array.isArray(detail)) return { code: 'REVERTED', reason: toWords(name) }
  const what: unknown = detail[1]
  if (what === 'ComputationalBudgetExceeded') return { code: 'OUT_OF_GAS', reason: toWords(what) }
  const number = customNumber(what)
  if (number === undefined) return { code: 'REVERTED', reason: loggedReason(logs) ?? toWords(String(what)) }
  const program = failedProgram(logs)
  const words = program && (known.get(program)?.[number] ?? NATIVE_PROGRAM_ERRORS.get(program)?.[number])
  const lacksLamports = program === SYSTEM_PROGRAM && number === 1
  return {
    code: lacksLamports ? 'INSUFFICIENT_FUNDS' : 'REVERTED',
    reason: words ?? loggedReason(logs) ?? `custom program error ${number}`,
  }
}

function customNumber(what: unknown): number | undefined {
  const custom = typeof what === 'object' && what !== null && 'Custom' in what ? what.Custom : undefined
  return typeof custom === 'number' ? custom : undefined
}

/** The first one that failed: those above it fail with it. */
function failedProgram(logs: readonly string[]): string | undefined {
  return logs.map((line) => /^Program (\w+) failed: /.exec(line)?.[1]).find((program) => program !== undefined)
}

/** What a program wrote about it. */
function loggedReason(logs: readonly string[]): string | undefined {
  const line = logs.findLast((text) => /^Program log: (Error: |AnchorError )/.test(text))
  return line?.replace(/^Program log: (Error: )?/, '')
}

/** `InsufficientFundsForFee` as people read it. */
function toWords(name: string): string {
  return name.replace(/(?<=[a-z])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase()
}
