import { expect, test } from 'vitest'
import { OPENS, powersOf } from './permissions.ts'

test('a key of the organization without limits can do everything', () => {
  expect(powersOf({ scope: 'organization', permissions: null })).toEqual(Object.values(OPENS))
})

test('a key of a profile without limits does not sign as an agent', () => {
  const powers = powersOf({ scope: 'profile', permissions: null })
  expect(powers).toEqual([OPENS.read, OPENS.plan, OPENS.submit, OPENS.ramp])
})

test('a key that only reads plans, submits and moves nothing, and reads the payments', () => {
  for (const permissions of [null, ['read', 'ramp'] as const])
    expect(powersOf({ scope: 'admin', permissions: permissions && [...permissions] })).toEqual([
      OPENS.read,
      'reads payments between banks and chains',
    ])
})

test('a limited key can do what it was limited to', () => {
  expect(powersOf({ scope: 'profile', permissions: ['submit'] })).toEqual([OPENS.submit])
})
