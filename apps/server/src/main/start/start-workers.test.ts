import { expect, test } from 'vitest'
import { makesProgress } from './start-workers.ts'

// `several-processes.test.ts` tests the workers of several processes.
test('a process makes progress while none of its jobs is stalled and its leases are renewed within a minute', () => {
  const fine = { workerId: 1, jobs: [], offered: [], stalled: [], resting: [], renewedMs: 59_999 }
  expect(makesProgress(fine)).toBe(true)
  expect(makesProgress({ ...fine, stalled: [{ job: 'follow base', seconds: 61 }] })).toBe(false)
  expect(makesProgress({ ...fine, renewedMs: 60_000 })).toBe(false)
  expect(makesProgress({ ...fine, renewedMs: Number.POSITIVE_INFINITY })).toBe(false)
})
