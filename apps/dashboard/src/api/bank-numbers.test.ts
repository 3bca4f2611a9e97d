import { expect, test } from 'vitest'
import { withoutBankNumbers } from './bank-numbers.ts'

test('a bank number keeps its last four digits, however deep it is and however it is written', () => {
  const bank = { routing_number: '021000021', account_number: '000123456789', bank_name: 'First' }
  expect(withoutBankNumbers({ rail: 'ach', bank_details: bank })).toEqual({
    rail: 'ach',
    bank_details: { routing_number: '****0021', account_number: '****6789', bank_name: 'First' },
  })
  expect(withoutBankNumbers([{ accountNumber: 123456789, iban: 'DE89370400440532013000' }])).toEqual([
    { accountNumber: '****6789', iban: '****3000' },
  ])
})

test('what has no bank number stays as it is, and a body is not changed in place', () => {
  expect(withoutBankNumbers(undefined)).toBeUndefined()
  for (const body of [null, [], {}, 'text', { account_number: null, account: 7, amount: '1.00' }])
    expect(withoutBankNumbers(body)).toEqual(body)
  const body = { account_number: '000123456789' }
  withoutBankNumbers(body)
  expect(body.account_number).toBe('000123456789')
})
