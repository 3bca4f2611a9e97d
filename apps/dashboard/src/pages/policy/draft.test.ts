import { expect, test } from 'vitest'
import { differences, type PolicyContent, type Rule } from './draft.ts'

const large: Rule = { name: 'large', when: { amountAtLeast: '10000.00' }, then: 'require_approval' }
const nights: Rule = {
  name: 'nights',
  when: { outsideHours: { timezone: 'UTC', from: '08:00', to: '18:00', days: ['mon', 'Tuesday', 3] } },
  then: 'reject',
}
const policy: PolicyContent = {
  mode: 'conditional',
  rules: [large, nights],
  default: 'approve',
  requiredApprovals: 2,
  requesterMayApprove: false,
}

test('a policy has no difference to itself, nor to one that says the same with more fields', () => {
  expect(differences(policy, policy)).toEqual([])
  expect(differences(policy, { ...policy, requesterMayApprove: undefined })).toEqual([])
})

test('each changed field and rule is a line that says before and after', () => {
  expect(
    differences(policy, {
      ...policy,
      mode: 'manual',
      requiredApprovals: 1,
      requesterMayApprove: true,
      default: 'require_approval',
      rules: [{ ...large, when: { amountAtLeast: '500.00', types: ['UNWIND'] }, then: 'approve' }, nights],
    }),
  ).toEqual([
    'Mode: By rules → Always ask',
    'Approvals required: 2 → 1',
    'Requesters may approve their own operations: no → yes',
    'All other operations: proceed → ask',
    'Rule “large”: from 10,000.00: require approval → from 500.00, withdrawals: approve',
  ])
})

test('the mode decides, too, what happens to all other operations', () => {
  const asking: PolicyContent = { ...policy, default: 'require_approval' }
  const automatic: PolicyContent = { ...asking, mode: 'automatic' }
  const manual: PolicyContent = { ...policy, mode: 'manual' }
  expect(differences(automatic, asking)).toEqual(['Mode: Automatic → By rules', 'All other operations: proceed → ask'])
  expect(differences(manual, policy)).toEqual(['Mode: Always ask → By rules', 'All other operations: ask → proceed'])
  expect(differences(automatic, policy)).toEqual(['Mode: Automatic → By rules'])
  expect(differences(automatic, { ...automatic, default: 'approve' })).toEqual([
    'All other operations, by rules: ask → proceed',
  ])
})

test('a rule is known by its name: one that is new, gone or moved changes no other', () => {
  const first: Rule = { name: 'first', when: {}, then: 'approve' }
  expect(differences(policy, { ...policy, rules: [first, large, nights] })).toEqual([
    'New rule “first”: any operation: approve',
  ])
  expect(differences(policy, { ...policy, rules: [large] })).toEqual([
    'Without the rule “nights”: outside 08:00 to 18:00 UTC on mon, tue, wed: reject',
  ])
  expect(differences(policy, { ...policy, rules: [nights, large] })).toEqual(['Order: large, nights → nights, large'])
})
