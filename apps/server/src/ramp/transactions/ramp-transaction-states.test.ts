import { describe, expect, test } from 'vitest'
import { canStartKyb, KYB_TRANSITIONS } from '../customers/kyb-states.ts'
import { SCENARIO_STEPS } from '../sandbox/scenarios.ts'
import {
  FIAT_POSTINGS,
  RAMP_STATUSES,
  RAMP_TRANSITIONS,
  TERMINAL_RAMP_STATUSES,
  transitionPath,
} from './ramp-transaction-states.ts'

describe('the state table of ramp transactions', () => {
  test('permits every scenario of the specification, step by step', () => {
    for (const direction of ['onramp', 'offramp'] as const) {
      for (const steps of Object.values(SCENARIO_STEPS[direction])) {
        const statuses = steps.filter((step) => step !== 'give_back')
        for (const [index, status] of statuses.entries()) {
          const from = index === 0 ? null : statuses[index - 1]!
          expect(transitionPath(direction, from, status), `${from} → ${status}`).toHaveLength(1)
        }
      }
    }
  })

  test('has one shortest path between any two statuses, and none out of a terminal one except the reversal', () => {
    for (const direction of ['onramp', 'offramp'] as const) {
      for (const from of TERMINAL_RAMP_STATUSES) {
        const ways = RAMP_STATUSES.filter((to) => to !== from && transitionPath(direction, from, to))
        expect(ways).toEqual(from === 'completed' ? ['reversed'] : [])
      }
      expect(transitionPath(direction, null, 'completed')!.map(({ to }) => to)).toEqual(
        SCENARIO_STEPS[direction].success,
      )
    }
  })

  test('posts only entries that sum to zero, and leaves nothing in transit at the end', () => {
    for (const kinds of Object.values(FIAT_POSTINGS)) {
      for (const rules of Object.values(kinds)) {
        const shares = { usd: 1_000n, net: 990n, fee: 10n }
        expect(rules.reduce((sum, [, sign, share]) => sum + sign * shares[share], 0n)).toBe(0n)
      }
    }
    for (const { to, posts } of RAMP_TRANSITIONS)
      expect(TERMINAL_RAMP_STATUSES.includes(to)).toBe(posts !== undefined && posts !== 'received')
  })

  test('of verifications leads from pending through submitted to a decision, and from declined back to the start', () => {
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
      [null, 'pending', 'submitted', 'approved', 'declined'].filter((status) => canStartKyb(status as never)),
    ).toEqual([null, 'declined'])
  })
})
