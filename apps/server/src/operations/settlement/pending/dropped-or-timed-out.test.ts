// Also tested in: settlement/pending/check-pending.test.ts (on a real chain, and under the wallet's lock).
import { expect, test } from 'vitest'
import { DEFAULT_TIMEOUTS } from '../../lifecycle/parts.ts'
import { droppedOrTimedOut } from './dropped-or-timed-out.ts'

const SUBMITTED = new Date('2026-03-01T10:00:00Z')
const after = (seconds: number) => new Date(SUBMITTED.getTime() + seconds * 1_000)
const timeouts = { ...DEFAULT_TIMEOUTS, droppedAfterMs: 120_000, inclusionTimeoutMs: 1_800_000 }

interface Pending {
  readonly seen?: number
  readonly height?: number
  readonly isBeingReplaced?: boolean
  readonly availableSince?: number
  readonly clockAgrees?: () => boolean
}
const decide = (
  at: number,
  { seen, height, isBeingReplaced = false, availableSince, clockAgrees = () => true }: Pending = {},
) =>
  droppedOrTimedOut(
    { timeouts, clockAgrees },
    {
      submittedAt: SUBMITTED,
      lastSeenAt: seen === undefined ? null : after(seen),
      lastValidBlockHeight: height ?? null,
      isBeingReplaced,
    },
    after(at),
    availableSince === undefined ? undefined : after(availableSince),
  )?.code

test('a transaction that no node has known for two minutes is DROPPED, not earlier', () => {
  expect([decide(119), decide(120)]).toEqual([undefined, 'DROPPED'])
  expect([decide(219, { seen: 100 }), decide(220, { seen: 100 })]).toEqual([undefined, 'DROPPED'])
})

test('an outage of the nodes proves nothing: the two minutes start when they are available again', () => {
  expect([decide(419, { availableSince: 300 }), decide(420, { availableSince: 300 })]).toEqual([undefined, 'DROPPED'])
  expect(decide(520, { seen: 400, availableSince: 300 })).toBe('DROPPED')
})

test('a transaction that nodes know and no block includes is TIMEOUT after thirty minutes', () => {
  expect(decide(1_799, { seen: 1_799 })).toBeUndefined()
  expect(decide(1_800, { seen: 1_799 })).toBe('TIMEOUT')
})

test('a process whose clock does not agree decides neither', () => {
  const clockAgrees = () => false
  expect([decide(1_800, { clockAgrees }), decide(1_800, { seen: 1_799, clockAgrees })]).toEqual([undefined, undefined])
})

test('bytes with a blockhash have no time-out, because they expire', () => {
  expect(decide(1_800, { seen: 1_799, height: 900 })).toBeUndefined()
})

test('a transaction whose replacement was issued is not DROPPED: nodes forget the version that it replaced', () => {
  expect(decide(500, { isBeingReplaced: true })).toBeUndefined()
  expect(decide(1_800, { isBeingReplaced: true })).toBe('TIMEOUT')
})
