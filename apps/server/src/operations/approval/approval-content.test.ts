import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ApprovalContent as AgentsContent,
  approvalChallenge as agentsChallenge,
  approvalText as agentsText,
} from '../../../../../packages/verify/src/approval/index.ts'
import { type ApprovalContent, approvalChallenge, approvalText } from './approval-content.ts'

const address = fc.oneof(fc.stringMatching(/^0x[0-9a-fA-F]{40}$/), fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/))
const id = fc.integer({ min: 1, max: 2 ** 40 })
const content: fc.Arbitrary<ApprovalContent & AgentsContent> = fc.record({
  environment: fc.constantFrom('sandbox', 'live'),
  organizationId: id,
  operationId: id,
  walletId: id,
  walletAddress: address,
  blockchain: fc.constantFrom('ethereum', 'polygon', 'base', 'solana'),
  type: fc.constantFrom('SUPPLY', 'UNWIND'),
  token: address,
  amount: fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.constant('all' as const)),
  venue: address,
  plannedAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
})

test('the service and the agent, which share no code, have the same text and challenge for every content', () => {
  fc.assert(
    fc.property(content, (one) => {
      const text = approvalText(one)
      expect(text).toBe(agentsText(one))
      expect(approvalChallenge(text)).toBe(agentsChallenge(one))
    }),
  )
})

test.each([
  ['a line feed in an address', { venue: '0xab\nplanned: 2026' }],
  ['a line feed in the chain', { blockchain: 'ethereum\n' }],
  ['no address', { token: '' }],
  ['an amount of zero', { amount: 0n }],
])('a stored value that would forge a line is a defect, not an approval: %s', (_, wrong) => {
  const [one] = fc.sample(content, 1)
  expect(() => approvalText({ ...one!, ...wrong })).toThrow()
})
