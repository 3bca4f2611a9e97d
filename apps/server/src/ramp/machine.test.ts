import { describe, expect, test } from 'vitest'
import { KYB_TRANSITIONS, mayStart } from './kyb-machine.ts'
import { ENDED, POSTINGS, RAMP_STATUSES, RAMP_TRANSITIONS, wayTo } from './machine.ts'
import { STEPS } from './sandbox/scenarios.ts'

describe('the machine', () => {
  test('lets every scenario of the specification pass, step by step', () => {
    for (const direction of ['onramp', 'offramp'] as const) {
      for (const steps of Object.values(STEPS[direction])) {
        const statuses = steps.filter((step) => step !== 'give_back')
        for (const [index, status] of statuses.entries()) {
          const from = index === 0 ? null : statuses[index - 1]!
          expect(wayTo(direction, from, status), `${from} → ${status}`).toHaveLength(1)
        }
      }
    }
  })

  test('knows one shortest way between any two statuses, and none out of an end but the reversal', () => {
    for (const direction of ['onramp', 'offramp'] as const) {
      for (const from of ENDED) {
        const ways = RAMP_STATUSES.filter((to) => to !== from && wayTo(direction, from, to))
        expect(ways).toEqual(from === 'completed' ? ['reversed'] : [])
      }
      expect(wayTo(direction, null, 'completed')!.map(({ to }) => to)).toEqual(STEPS[direction].success)
    }
  })

  test('posts nothing that does not sum to zero, and holds nothing in transit once it ended', () => {
    for (const kinds of Object.values(POSTINGS)) {
      for (const rules of Object.values(kinds)) {
        const shares = { usd: 1_000n, net: 990n, fee: 10n }
        expect(rules.reduce((sum, [, sign, share]) => sum + sign * shares[share], 0n)).toBe(0n)
      }
    }
    for (const { to, posts } of RAMP_TRANSITIONS)
      expect(ENDED.includes(to)).toBe(posts !== undefined && posts !== 'received')
  })

  test('of verifications goes from pending over submitted to a decision, and from declined back to the start', () => {
    const ways = KYB_TRANSITIONS.map(({ from, to }) => `${from} ${to}`)
    expect(ways).toEqual([
      'null pending',
      'pending submitted',
      'pending approved',
      'pending declined',
      'submitted approved',
      'submitted declined',
      'declined pending',
    ])
    expect(
      [null, 'pending', 'submitted', 'approved', 'declined'].filter((status) => mayStart(status as never)),
    ).toEqual([null, 'declined'])
  })
})
