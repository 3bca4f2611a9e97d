import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHANGE_KINDS, type ChangeRules, completeRules, NO_RULES, ruleFor } from './change-policy.ts'

const anyRule = fc.record({ requiredApprovals: fc.nat(5), coolingOffSeconds: fc.nat(100) })
const anyRules: fc.Arbitrary<ChangeRules> = fc.record(
  Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, anyRule])) as Record<
    (typeof CHANGE_KINDS)[number],
    typeof anyRule
  >,
)

test('without rules, no kind of change has one', () => {
  for (const kind of CHANGE_KINDS) expect(ruleFor(NO_RULES, kind)).toBeUndefined()
})

test('a cooling-off period alone is a rule', () => {
  const rules = completeRules({ keys: { requiredApprovals: 0, coolingOffSeconds: 1 } })
  expect(ruleFor(rules, 'keys')).toEqual({ requiredApprovals: 0, coolingOffSeconds: 1 })
  expect(ruleFor(rules, 'members')).toBeUndefined()
})

test('changing the policy is never easier than any change that it governs', () => {
  fc.assert(
    fc.property(anyRules, fc.constantFrom(...CHANGE_KINDS), (rules, kind) => {
      const [governed, governing] = [ruleFor(rules, kind), ruleFor(rules, 'change_policy')]
      if (governed === undefined) return
      expect(governing?.requiredApprovals).toBeGreaterThanOrEqual(governed.requiredApprovals)
      expect(governing?.coolingOffSeconds).toBeGreaterThanOrEqual(governed.coolingOffSeconds)
    }),
  )
})
