import { expect, test } from 'vitest'
import { isMasked, secretIn } from './secrets.ts'

test('a request without a body has no secret, and breaks no page', () => {
  for (const body of [undefined, null, {}, { name: 'payroll' }]) expect(isMasked(body)).toBe(false)
})

test('a body whose secret nobody stored is known by its mask', () => {
  expect(isMasked({ password: '•••' })).toBe(true)
  expect(isMasked({ provider: { clientSecret: '***' } })).toBe(true)
})

test('a key and a secret that a change made are found, and nothing else is taken for one', () => {
  expect(secretIn({ apiKey: 'svc_sandbox_x', name: 'payroll' })).toBe('svc_sandbox_x')
  expect(secretIn({ secret: 'whsec_x' })).toBe('whsec_x')
  for (const made of [undefined, null, {}, { secret: null }, { apiKey: 7 }]) expect(secretIn(made)).toBeUndefined()
})
