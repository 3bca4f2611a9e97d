import { expect, test } from 'vitest'
import { warningOfRole, warningsOf, whyNoPlans } from './key-facts.ts'

const key = (permissions: string[], scope: 'organization' | 'profile' | 'admin' = 'organization') => ({
  scope,
  permissions,
})

test('plans need the word of the person, and a key that plans and cannot submit', () => {
  expect(whyNoPlans(key(['read', 'plan']), true)).toBeUndefined()
  expect(whyNoPlans(key(['read', 'plan'], 'profile'), true)).toBeUndefined()
  expect(whyNoPlans(key(['read', 'plan']), false)).toMatch('WEIR_MCP_ALLOW_PLANS')
  expect(whyNoPlans(key(['read']), true)).toMatch('lacks')
  expect(whyNoPlans(key(['read', 'plan'], 'admin'), true)).toMatch('lacks')
  expect(whyNoPlans(key(['read', 'plan', 'submit']), true)).toMatch('submit')
  expect(whyNoPlans(key(['read', 'plan', 'agent']), true)).toMatch('agent')
})

test('the server warns of a key that may do more than the tools need', () => {
  expect(warningsOf(key(['read', 'ramp']), false)).toEqual([])
  expect(warningsOf(key(['read', 'plan']), true)).toEqual([])
  expect(warningsOf(key(['read', 'plan']), false)).toEqual([expect.stringContaining('(plan)')])
  expect(warningsOf(key(['read', 'submit']), true)).toEqual([expect.stringContaining('(submit)')])
})

test('the server warns of a service account that may do more than read', () => {
  expect(warningOfRole('viewer')).toBeUndefined()
  expect(warningOfRole('admin')).toMatch('role admin')
})
