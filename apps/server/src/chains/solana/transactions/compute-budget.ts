import type { SvmInstruction } from '../../port/calls.ts'
import { COMPUTE_BUDGET_PROGRAM } from '../addresses/programs.ts'

/** The default limit per instruction of a transaction that sets none, and the maximum for any transaction. */
const DEFAULT_UNITS_PER_INSTRUCTION = 200_000n
export const COMPUTE_UNITS_MAX = 1_400_000n
const SET_UNIT_LIMIT = 2

/** The instructions of a transaction without those that set its cost. */
export function withoutComputeBudget(instructions: readonly SvmInstruction[]): SvmInstruction[] {
  return instructions.filter(({ program }) => program !== COMPUTE_BUDGET_PROGRAM)
}

/** The compute units that a transaction may use. */
export function computeUnitLimit(instructions: readonly SvmInstruction[]): bigint {
  const budgets = instructions.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM)
  for (const { data } of budgets) {
    const bytes = Buffer.from(data, 'base64')
    if (bytes[0] === SET_UNIT_LIMIT && bytes.length >= 5) return BigInt(bytes.readUInt32LE(1))
  }
  const units = BigInt(instructions.length - budgets.length) * DEFAULT_UNITS_PER_INSTRUCTION
  return units < COMPUTE_UNITS_MAX ? units : COMPUTE_UNITS_MAX
}
