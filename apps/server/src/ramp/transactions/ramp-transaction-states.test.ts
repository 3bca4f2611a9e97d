import { describe, expect, test } from 'vitest'
import { canStartKyb, KYB, kybPath } from '../customers/kyb-states.ts'
import { SCENARIO_STEPS } from '../sandbox/scenarios.ts'
import {
  FIAT_POSTINGS,
  RAMP_STATUSES,
  RAMP_TRANSACTIONS,
  TERMINAL_RAMP_STATUSES,
  transitionPath,
} from './ramp-transaction-states.ts'

describe('the state table of ramp transactions', () => {
  test('permits every scenario of the specification, step by step', () => {
    for (const direction of ['onramp', 'offramp'] as const) {
      for (const steps of Object.values(SCENARIO_STEPS[direction])) {
        const statuses = steps.filter((step) => step !== 'give_back')
        for (const [index, status] of statuses.entries()) {
          const from = index === 0 ? 'new' : statuses[index - 1]!
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
      expect(transitionPath(direction, 'new', 'completed')!.map(({ to }) => to)).toEqual(
        SCENARIO_STEPS[direction].success,
      )
    }
  })

  test('lets every payment that is not over fail', () => {
    for (const direction of ['onramp', 'offramp'] as const) {
      const statuses = RAMP_TRANSACTIONS[direction].transitions.map(({ to }) => to)
      for (const from of statuses.filter((status) => !TERMINAL_RAMP_STATUSES.includes(status)))
        expect(transitionPath(direction, from, 'failed'), `${direction} ${from}`).toBeDefined()
    }
  })

  test('has no way back: of two statuses at most one can follow the other', () => {
    for (const direction of ['onramp', 'offramp'] as const) {
      for (const from of RAMP_STATUSES) {
        for (const to of RAMP_STATUSES.filter((status) => transitionPath(direction, from, status)?.length))
          expect(transitionPath(direction, to, from), `${to} → ${from}`).toBeUndefined()
      }
    }
  })

  test('never withdraws an approval of a verification, and reopens only what was declined', () => {
    for (const status of ['pending', 'submitted', 'declined'] as const)
      expect(kybPath('approved', status)).toBeUndefined()
    expect(kybPath('submitted', 'pending')).toBeUndefined()
    expect(kybPath('declined', 'approved')!.map(({ to }) => to)).toEqual(['pending', 'approved'])
  })

  test('posts only entries that sum to zero, and leaves nothing in transit at the end', () => {
    for (const kinds of Object.values(FIAT_POSTINGS)) {
      for (const rules of Object.values(kinds)) {
        const shares = { usd: 1_000n, net: 990n, fee: 10n }
        expect(rules.reduce((sum, [, sign, share]) => sum + sign * shares[share], 0n)).toBe(0n)
      }
    }
    for (const { to, posts } of Object.values(RAMP_TRANSACTIONS).flatMap(({ transitions }) => transitions))
      expect(TERMINAL_RAMP_STATUSES.includes(to)).toBe(posts !== undefined && posts !== 'received')
  })

  test('leads a verification from pending through submitted to a decision, and from declined back to the start', () => {
    const ways = KYB.transitions.map(({ from, to }) => `${from} ${to}`)
    expect(ways).toEqual([
      'new pending',
      'pending submitted',
      'pending approved',
      'pending declined',
      'submitted approved',
      'submitted declined',
      'declined pending',
    ])
    expect((['new', 'pending', 'submitted', 'approved', 'declined'] as const).filter(canStartKyb)).toEqual([
      'new',
      'declined',
    ])
  })
})
