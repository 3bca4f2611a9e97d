import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from './conditions.ts'
import { decide } from './decide.ts'
import { parsePolicy, parseStoredPolicy } from './parse-policy.ts'
import type { ApprovalPolicy, PolicyConditions, PolicyOutcome, PolicyRule } from './policy.ts'

const rule = (when: PolicyConditions, then: PolicyOutcome, name = 'rule'): PolicyRule => ({ name, when, then })
const policy = (rules: PolicyRule[], more: Partial<ApprovalPolicy> = {}): ApprovalPolicy => ({
  mode: 'conditional',
  rules,
  default: 'approve',
  requiredApprovals: 2,
  requesterMayApprove: false,
  ...more,
})
const usdc = (baseUnits: bigint) => ({ baseUnits, decimals: 6 })
const FACTS = {
  type: 'SUPPLY',
  amount: usdc(5_000_000_000n),
  walletId: 7,
  custodyProvider: 'self',
  counterparties: ['Aave V3', 'aave-v3', '0x794a61358D6845594F94dc1DB02A252b5b4814aD'],
  at: new Date('2026-01-05T10:00:00Z'),
} as const satisfies PolicyInput
const outcome = (of: ApprovalPolicy | 'unreadable', input: PolicyInput = FACTS) => decide(of, input).outcome

test('automatic ignores the rules, manual always requires approval, and so does an unreadable policy', () => {
  const rejects = [rule({}, 'reject')]
  expect(outcome(policy(rejects, { mode: 'automatic' }), {})).toBe('approve')
  expect(decide(policy(rejects, { mode: 'manual' }), FACTS)).toMatchObject({
    outcome: 'require_approval',
    requiredApprovals: 2,
    rule: null,
  })
  expect(decide('unreadable', FACTS)).toMatchObject({ outcome: 'require_approval', requiredApprovals: 1, rule: null })
})

test('the first rule that holds decides, then the default', () => {
  const rules = [
    rule({ types: ['UNWIND'] }, 'reject', 'first'),
    rule({ walletIds: [7] }, 'require_approval', 'second'),
    rule({}, 'approve', 'third'),
  ]
  expect(decide(policy(rules), FACTS)).toMatchObject({ outcome: 'require_approval', rule: 'second' })
  expect(decide(policy(rules), { ...FACTS, walletId: 8 })).toMatchObject({ outcome: 'approve', rule: 'third' })
  expect(decide(policy(rules), { ...FACTS, type: 'UNWIND' })).toMatchObject({
    outcome: 'reject',
    rule: 'first',
    requiredApprovals: 0,
  })
  expect(outcome(policy([], { default: 'require_approval' }))).toBe('require_approval')
  expect(decide(policy([]), FACTS)).toMatchObject({ outcome: 'approve', rule: null, requiredApprovals: 0 })
})

describe('conditions', () => {
  const holds = (when: PolicyConditions, input: Partial<PolicyInput> = {}) =>
    outcome(policy([rule(when, 'reject')]), { ...FACTS, ...input }) === 'reject'

  test('every condition of a rule must hold, and a rule without conditions always holds', () => {
    expect(holds({ types: ['SUPPLY'], walletIds: [7] })).toBe(true)
    expect(holds({ types: ['SUPPLY'], walletIds: [8] })).toBe(false)
    expect(holds({})).toBe(true)
  })

  test('amounts are compared to the last unit, for any number of decimals on either side', () => {
    expect(holds({ amountAtLeast: '5000' })).toBe(true)
    expect(holds({ amountAtLeast: '5000.000000' })).toBe(true)
    expect(holds({ amountAtLeast: '5000.000000000001' })).toBe(false)
    expect(holds({ amountAtLeast: '5000' }, { amount: usdc(4_999_999_999n) })).toBe(false)
    expect(holds({ amountAtLeast: '0.5' }, { amount: { baseUnits: 5n, decimals: 1 } })).toBe(true)
    expect(holds({ amountAtLeast: '1' }, { amount: { baseUnits: 10n ** 18n, decimals: 18 } })).toBe(true)
    expect(holds({ amountAtLeast: '1' }, { amount: { baseUnits: 10n ** 18n - 1n, decimals: 18 } })).toBe(false)
  })

  test('names and addresses are compared case-insensitively', () => {
    expect(holds({ custodyProviders: ['Fireblocks', 'SELF'] })).toBe(true)
    expect(holds({ counterparties: ['AAVE V3'] })).toBe(true)
    expect(holds({ counterparties: ['0x794A61358D6845594F94DC1DB02A252B5B4814AD'] })).toBe(true)
    expect(holds({ counterparties: ['Aave'] })).toBe(false)
  })

  test('outside hours uses the time of the move', () => {
    const hours = { timezone: 'Europe/Berlin', from: '08:00', to: '18:00', days: [1, 2, 3, 4, 5] }
    expect(holds({ outsideHours: hours })).toBe(false)
    expect(holds({ outsideHours: hours }, { at: new Date('2026-01-05T20:00:00Z') })).toBe(true)
  })
})

describe('unknown facts', () => {
  const asks = (when: PolicyConditions, input: PolicyInput) =>
    decide(policy([rule(when, 'approve', 'needs it')]), input)

  test.each([
    ['amountAtLeast', { amountAtLeast: '1' }, 'amount', 'the amount'],
    ['walletIds', { walletIds: [7] }, 'walletId', 'the wallet'],
    ['custodyProviders', { custodyProviders: ['self'] }, 'custodyProvider', 'the custody provider'],
    ['types', { types: ['SUPPLY'] }, 'type', 'the type'],
    ['counterparties', { counterparties: ['aave-v3'] }, 'counterparties', 'the counterparty'],
    [
      'outsideHours',
      { outsideHours: { timezone: 'UTC', from: '00:00', to: '01:00', days: ['mon'] } },
      'at',
      'the time',
    ],
  ] as const)('%s requires approval, and says what is missing', (_, when, fact, words) => {
    expect(asks(when, FACTS).outcome).toBe('approve')
    expect(asks(when, { ...FACTS, [fact]: undefined })).toMatchObject({
      outcome: 'require_approval',
      requiredApprovals: 2,
      rule: 'needs it',
      explanation: expect.stringContaining(words),
    })
  })

  test('invalid facts are unknown', () => {
    expect(asks({ amountAtLeast: '1' }, { ...FACTS, amount: usdc(-1n) }).outcome).toBe('require_approval')
    expect(asks({ amountAtLeast: '1' }, { ...FACTS, amount: { baseUnits: 1n, decimals: 0.5 } }).outcome).toBe(
      'require_approval',
    )
    expect(asks({ counterparties: ['a'] }, { ...FACTS, counterparties: [] }).outcome).toBe('require_approval')
    const hours = { timezone: 'UTC', from: '00:00', to: '01:00', days: ['mon'] }
    expect(asks({ outsideHours: hours }, { ...FACTS, at: new Date(Number.NaN) }).outcome).toBe('require_approval')
    expect(asks({ outsideHours: { ...hours, timezone: 'Mars/Base' } }, FACTS).outcome).toBe('require_approval')
  })

  test('do not matter to a rule that fails on a known fact, nor to a rule after the deciding one', () => {
    const input: PolicyInput = { ...FACTS, amount: undefined }
    expect(asks({ amountAtLeast: '1', types: ['UNWIND'] }, input).rule).toBe(null)
    const before = policy([rule({ types: ['SUPPLY'] }, 'approve', 'first'), rule({ amountAtLeast: '1' }, 'reject')])
    expect(decide(before, input)).toMatchObject({ outcome: 'approve', rule: 'first' })
  })
})

const amounts = fc.bigInt({ min: 0n, max: 10n ** 14n })
const conditions: fc.Arbitrary<PolicyConditions> = fc.record(
  {
    amountAtLeast: amounts.map((units) => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, '0')}`),
    walletIds: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    custodyProviders: fc.array(fc.constantFrom('self', 'Fireblocks', 'kms'), { minLength: 1, maxLength: 2 }),
    types: fc.constantFrom<('SUPPLY' | 'UNWIND')[]>(['SUPPLY'], ['UNWIND'], ['SUPPLY', 'UNWIND']),
    counterparties: fc.array(fc.constantFrom('aave-v3', 'Kamino', '0xab'), { minLength: 1, maxLength: 2 }),
    outsideHours: fc.record({
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
      from: fc.constantFrom('00:00', '08:00', '22:00'),
      to: fc.constantFrom('06:00', '18:00', '24:00'),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    }),
  },
  { requiredKeys: [] },
)
const outcomes = fc.constantFrom<PolicyOutcome>('approve', 'require_approval', 'reject')
const rulesOf = (then: fc.Arbitrary<PolicyOutcome>) =>
  fc
    .array(fc.record({ when: conditions, then }), { maxLength: 6 })
    .map((rules) => rules.map((one, index) => rule(one.when, one.then, `rule ${index}`)))
const policies = (then = outcomes) =>
  fc.record({
    mode: fc.constantFrom('automatic' as const, 'manual' as const, 'conditional' as const),
    rules: rulesOf(then),
    default: fc.constantFrom('approve' as const, 'require_approval' as const),
    requiredApprovals: fc.integer({ min: 1, max: 5 }),
    requesterMayApprove: fc.boolean(),
  })
const known = fc.record({
  type: fc.constantFrom('SUPPLY' as const, 'UNWIND' as const),
  amount: amounts.map(usdc),
  walletId: fc.integer({ min: 1, max: 5 }),
  custodyProvider: fc.constantFrom('self', 'FIREBLOCKS', 'other'),
  counterparties: fc.array(fc.constantFrom('Aave-V3', 'kamino', '0xAB', 'nobody'), { minLength: 1, maxLength: 3 }),
  at: fc.date({ min: new Date('2024-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true }),
})
const FACT_NAMES = ['type', 'amount', 'walletId', 'custodyProvider', 'counterparties', 'at'] as const
const withHoles = fc.tuple(known, fc.subarray([...FACT_NAMES])).map(([input, holes]) => ({
  facts: input,
  partly: { ...input, ...Object.fromEntries(holes.map((hole) => [hole, undefined])) },
}))

describe('for every policy and every move', () => {
  test('decides, with the number of approvals of the policy, and names an existing rule', () => {
    fc.assert(
      fc.property(policies(), withHoles, (of, { partly }) => {
        const decision = decide(of, partly)
        expect(['approve', 'require_approval', 'reject']).toContain(decision.outcome)
        expect(decision.requiredApprovals).toBe(decision.outcome === 'require_approval' ? of.requiredApprovals : 0)
        if (decision.rule !== null) expect(of.rules.map(({ name }) => name)).toContain(decision.rule)
        expect(decision.explanation).toMatch(/\.$/)
      }),
    )
  })

  test('an unknown fact never approves what people or a rule could have stopped', () => {
    fc.assert(
      fc.property(policies(), withHoles, (of, { facts: input, partly }) => {
        if (decide(of, partly).outcome === 'approve') expect(decide(of, input).outcome).toBe('approve')
      }),
      { numRuns: 500 },
    )
  })

  test('an unknown fact alone never rejects', () => {
    fc.assert(
      fc.property(policies(), withHoles, (of, { facts: input, partly }) => {
        if (decide(of, partly).outcome === 'reject') expect(decide(of, input).outcome).toBe('reject')
      }),
      { numRuns: 500 },
    )
  })

  test('where amounts only ever require approval, a larger amount never needs less', () => {
    const asking = rulesOf(fc.constant('require_approval' as const))
    fc.assert(
      fc.property(asking, known, amounts, (rules, input, more) => {
        const larger = { ...input, amount: usdc(input.amount.baseUnits + more) }
        const small = decide(policy(rules), input).outcome
        if (small === 'require_approval') expect(decide(policy(rules), larger).outcome).toBe('require_approval')
      }),
    )
  })

  test('once a rule holds, no later rule decides', () => {
    fc.assert(
      fc.property(policies(), rulesOf(outcomes), known, (of, more, input) => {
        const decision = decide({ ...of, mode: 'conditional' }, input)
        if (decision.rule === null) return
        const longer = [...of.rules, ...more.map((one) => ({ ...one, name: `later ${one.name}` }))]
        expect(decide({ ...of, mode: 'conditional', rules: longer }, input)).toEqual(decision)
      }),
    )
  })

  test('a stored policy reads back unchanged', () => {
    fc.assert(
      fc.property(policies(), (of) => {
        expect(parsePolicy(JSON.parse(JSON.stringify(of)))).toEqual({ policy: of })
      }),
    )
  })
})

test('a requester may approve by default only in a stored policy', () => {
  const { requesterMayApprove: _, ...silent } = policy([])
  expect(parsePolicy(silent)).toMatchObject({ policy: { requesterMayApprove: false } })
  expect(parseStoredPolicy(silent)).toMatchObject({ policy: { requesterMayApprove: true } })
  for (const requesterMayApprove of [true, false])
    for (const parse of [parsePolicy, parseStoredPolicy])
      expect(parse({ ...silent, requesterMayApprove })).toMatchObject({ policy: { requesterMayApprove } })
})

test('parsing a policy returns a result for any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = parsePolicy(value)
      expect('policy' in read || read.problems.length > 0).toBe(true)
    }),
  )
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (when, then) => {
      const read = parsePolicy({
        mode: 'conditional',
        rules: [{ name: 'x', when, then }],
        default: 'approve',
        requiredApprovals: 1,
      })
      if ('policy' in read) expect(() => decide(read.policy, {})).not.toThrow()
    }),
  )
})
