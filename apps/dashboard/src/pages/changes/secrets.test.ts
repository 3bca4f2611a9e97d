import { expect, test } from 'vitest'
import { maskedFields, secretIn, unmasked } from './secrets.ts'

test('a request without a body has no secret, and breaks no page', () => {
  for (const body of [undefined, null, {}, { name: 'payroll' }, { note: 'five *** in the middle' }])
    expect(maskedFields(body)).toEqual([])
})

test('a body whose secret nobody stored is known by its mask', () => {
  expect(maskedFields({ password: '•••' })).toEqual([{ names: ['password'], mask: '•••' }])
  expect(maskedFields({ provider: { clientSecret: '***' } })).toEqual([
    { names: ['provider', 'clientSecret'], mask: '***' },
  ])
})

test('a request is repeated as it was approved, with what was entered in place of its masks', () => {
  const stored = {
    rail: 'ach',
    bank_details: { account_number: '****6789', bank_name: 'First' },
    tags: ['a', 7],
    x: null,
  }
  expect(unmasked(stored, { 'bank_details.account_number': '000123456789' })).toEqual({
    ...stored,
    bank_details: { account_number: '000123456789', bank_name: 'First' },
  })
  expect(unmasked(stored, {})).toEqual(stored)
})

test('a key and a secret that a change made are found, and nothing else is taken for one', () => {
  expect(secretIn({ apiKey: 'svc_sandbox_x', name: 'payroll' })).toBe('svc_sandbox_x')
  expect(secretIn({ secret: 'whsec_x' })).toBe('whsec_x')
  for (const made of [undefined, null, {}, { secret: null }, { apiKey: 7 }]) expect(secretIn(made)).toBeUndefined()
})
