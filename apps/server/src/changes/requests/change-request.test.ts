import { expect, test } from 'vitest'
import type { ChangeRequestState } from '../../database/index.ts'
import { changeApprovedAt, changeEndedAt, parseChangeRequest, type StoredChangeRequest } from './change-request.ts'

const AT = new Date('2026-01-01T00:00:00Z')
const stored = (state: ChangeRequestState, times: Partial<StoredChangeRequest> = {}) =>
  ({ id: 1, state, approvedAt: null, endedAt: null, ...times }) as StoredChangeRequest

test('a request has the times of its state', () => {
  for (const [state, approvedAt, endedAt] of [
    ['requested', null, null],
    ['approved', AT, null],
    ['rejected', null, AT],
    ['cancelled', AT, AT],
    ['expired', null, AT],
    ['completed', AT, AT],
  ] as const) {
    const request = parseChangeRequest(stored(state, { approvedAt, endedAt }))
    expect([changeApprovedAt(request), changeEndedAt(request)], state).toEqual([approvedAt, endedAt])
  }
})

test('a row that breaks the promise of its state is refused', () => {
  for (const state of ['approved', 'completed'] as const)
    expect(() => parseChangeRequest(stored(state, { endedAt: state === 'completed' ? AT : null }))).toThrow('approval')
  for (const state of ['rejected', 'cancelled', 'expired', 'completed'] as const)
    expect(() => parseChangeRequest(stored(state, { approvedAt: AT }))).toThrow('end')
  for (const state of ['requested', 'approved'] as const)
    expect(() => parseChangeRequest(stored(state, { approvedAt: AT, endedAt: AT }))).toThrow('end')
})
