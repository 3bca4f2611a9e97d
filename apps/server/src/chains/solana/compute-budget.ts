import type { SvmInstruction } from '../port/calls.ts'
import { COMPUTE_BUDGET_PROGRAM } from './programs.ts'

/** What a transaction that says nothing about it may use for each instruction, and the most that any may use. */
const DEFAULT_UNITS_PER_INSTRUCTION = 200_000n
export const COMPUTE_UNITS_MAX = 1_400_000n
const SET_UNIT_LIMIT = 2

/** What a transaction does, without what it may cost. */
export function withoutComputeBudget(instructions: readonly SvmInstruction[]): SvmInstruction[] {
  return instructions.filter(({ program }) => program !== COMPUTE_BUDGET_PROGRAM)
}

/** Compute units that a transaction may use. */
export function computeUnitLimit(instructions: readonly SvmInstruction[]): bigint {
  const budgets = instructions.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM)
  for (const { data } of budgets) {
    const bytes = Buffer.from(data, 'base64')
    if (bytes[0] === SET_UNIT_LIMIT && bytes.length >= 5) return BigInt(bytes.readUInt32LE(1))
  }
  const units = BigInt(instructions.length - budgets.length) * DEFAULT_UNITS_PER_INSTRUCTION
  return units < COMPUTE_UNITS_MAX ? units : COMPUTE_UNITS_MAX
}
