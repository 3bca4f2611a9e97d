import { expect, test } from 'vitest'
import { decodeTransactionError } from './transaction-errors.ts'

const none = new Map()

test('the reason that a program logged is one short line that can be stored', () => {
  const logs = [`Program log: Error: no\u0000\u001b[2J\n${'x'.repeat(500_000)}`]
  const { reason } = decodeTransactionError({ InstructionError: [0, { Custom: 7 }] }, logs, none)
  expect(reason).toMatch(/^no {2}\[2J x{900,}$/)
  expect(reason.length).toBeLessThanOrEqual(1_000)
})

test.each([
  ['a name', 'Odd\u0000Name'.repeat(10_000)],
  ['a name in an object', { ['Odd\u0000Name'.repeat(10_000)]: 1 }],
  ['a name of an instruction’s error', { InstructionError: [0, 'Odd\u0000Name'.repeat(10_000)] }],
  ['nothing', null],
  ['a number', 7],
  ['a list', [['a']]],
])('an error that is %s has a short reason that can be stored', (_, error) => {
  const { code, reason } = decodeTransactionError(error, [], none)
  expect(code).toBe('REVERTED')
  expect(reason).not.toContain('\u0000')
  // Words are separated by a blank each.
  expect(reason.length).toBeLessThanOrEqual(2_000)
})
