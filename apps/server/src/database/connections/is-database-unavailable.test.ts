import { expect, test } from 'vitest'
import { UncertainCommitError } from './durable-client.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'

const withCode = (code: string, more = {}) => Object.assign(new Error('x'), { code, ...more })

test.each([
  ...['08000', '08001', '08003', '08004', '08006', '57P01', '57P02', '57P03', '57P05', '57014', '55P03'],
  ...['53100', '53200', '53300', '25006', '25P03', '25P04'],
])('SQLSTATE %s is temporary', (code) => {
  expect(isDatabaseUnavailable(withCode(code))).toBe(true)
})

test.each(['23505', '40001', '42P01', '22003', '25P02', '28P01'])('SQLSTATE %s is not', (code) => {
  expect(isDatabaseUnavailable(withCode(code))).toBe(false)
})

test.each(['ECONNREFUSED', 'ECONNRESET', 'ENETUNREACH', 'EHOSTUNREACH', 'EAI_AGAIN', 'ETIMEDOUT'])(
  '%s of a system call is temporary, and the same code without one is not',
  (code) => {
    expect(isDatabaseUnavailable(withCode(code, { syscall: 'connect' }))).toBe(true)
    expect(isDatabaseUnavailable(withCode(code))).toBe(false)
  },
)

test('a commit that may not be durable is temporary, and an address whose every server failed', () => {
  expect(isDatabaseUnavailable(new UncertainCommitError('commit: canceling wait'))).toBe(true)
  expect(isDatabaseUnavailable(new AggregateError([withCode('25006')], 'none'))).toBe(true)
  expect(isDatabaseUnavailable(new Error('a defect'))).toBe(false)
})
