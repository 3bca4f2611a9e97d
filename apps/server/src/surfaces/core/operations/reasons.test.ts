import { expect, test } from 'vitest'
import { presentReasons } from './reasons.ts'

test('the reasons of an operation are shown in decimals and percent, like all money and rates of core', () => {
  const weighed = [{ strategyId: 3, name: 'Vault', apy: 0.0492, gain: '3837072', verdict: 'takes all of it' }]
  const kept = { why: 'Above the buffer.', policy: 'The policy is automatic.', excess: '900000000' }
  expect(
    presentReasons({ reasons: { ...kept, shortfall: '0', weighed, notes: [] }, plannedValue: 900_000_000n }, 6),
  ).toEqual({
    why: 'Above the buffer.',
    policy: 'The policy is automatic.',
    worth: '900.00',
    excess: '900.00',
    shortfall: '0.00',
    weighed: [{ strategyId: 3, name: 'Vault', apy: '4.92%', gain: '3.837072', verdict: 'takes all of it' }],
    notes: [],
  })
})

test('the reasons of a withdrawal say what each position could pay then, and what was left to wait for', () => {
  const source = { strategyId: 3, name: 'Vault', value: '300000000', withdrawable: '50000000', verdict: 'can pay part' }
  const kept = { why: 'The buffer is short.', policy: '', excess: '0', shortfall: '200000000', awaited: '150000000' }
  expect(presentReasons({ reasons: { ...kept, sources: [source] }, plannedValue: 50_000_000n }, 6)).toMatchObject({
    worth: '50.00',
    shortfall: '200.00',
    awaited: '150.00',
    sources: [{ strategyId: 3, name: 'Vault', value: '300.00', withdrawable: '50.00', verdict: 'can pay part' }],
  })
})

test('a v1 operation has no reasons', () => {
  expect(presentReasons({ reasons: null, plannedValue: null }, 6)).toBeNull()
})
