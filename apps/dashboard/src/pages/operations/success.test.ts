import { expect, test } from 'vitest'
import { rateNote, successOf } from './success.ts'

test('what was rejected, cancelled or given up is no failure, and the page says what it leaves out', () => {
  const stats = { completedOperations: 3, failedOperations: 4, rejectedOperations: 1, abortedOperations: 2 }
  expect(successOf(stats)).toEqual({
    failed: 1,
    rate: '75.00%',
    besides: 'without 1 rejected and 2 aborted or cancelled',
  })
  expect(rateNote(stats, 1)).toBe('of 4 operations that completed or failed')
})

test('nothing finished is no rate, and nothing left out needs no words', () => {
  expect(successOf({ completedOperations: 0, failedOperations: 0 })).toEqual({ failed: 0, rate: '–', besides: ' ' })
  expect(successOf({ completedOperations: 1, failedOperations: 1 })).toMatchObject({ failed: 1, rate: '50.00%' })
})
