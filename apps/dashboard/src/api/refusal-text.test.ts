import { expect, test } from 'vitest'
import { refusedFields, textOf, titleOf } from './refusal-text.ts'

const invalid = (path: string, message: string) => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  message: `${path} ${message}.`,
  details: { issues: [{ path, message }] },
})

test('who gives up a second factor is not said to have no access', () => {
  const refusal = { status: 403, code: 'FORBIDDEN', message: 'Verify.', details: { reason: 'step_up_required' } }
  expect([titleOf(refusal), textOf(refusal)]).toEqual(['Not done', 'You did not verify that it is you.'])
})

test('a change in its cooling-off period is not said to be forbidden', () => {
  const details = { reason: 'change_request_cooling_off' }
  expect(titleOf({ status: 403, code: 'FORBIDDEN', details })).toBe('Not yet')
})

test('a field that has another form is named in words, with what it must have', () => {
  const routing = invalid('bank_details.routing_number', 'must have the form ^[0-9]{9}$')
  expect(titleOf(routing)).toBe('Check what you entered')
  expect(textOf(routing)).toBe('Routing number must have 9 digits.')
  expect(refusedFields(routing)).toEqual({ routing_number: 'must have 9 digits' })
  expect(textOf(invalid('bank.account_number', 'must have the form ^[0-9]{4,17}$'))).toBe(
    'Account number must have 4 to 17 digits.',
  )
  expect(textOf(invalid('url', 'must have the form ^https://'))).toBe('Url does not have the form that is asked for.')
  expect(textOf(invalid('dailyCap', 'must be at least 1'))).toBe('Daily cap must be at least 1.')
})

test('what is no matter of a field keeps the sentence of the service', () => {
  expect(textOf(invalid('', 'must be an object'))).toBe(' must be an object.')
  const conflict = { code: 'CONFLICT', message: 'Not now.', details: { issues: 'none' } }
  expect([textOf(conflict), refusedFields(conflict)]).toEqual(['Not now.', {}])
})

test('every refusal has a title in words', () => {
  const titles = [0, 400, 401, 403, 404, 409, 429, 500, 503].map((status) => titleOf({ status, code: 'SOME_CODE' }))
  expect(titles[0]).toBe('The service cannot be reached')
  expect(titles.filter((title) => title.includes('_'))).toEqual([])
})
