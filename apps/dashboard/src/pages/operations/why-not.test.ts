import { expect, test } from 'vitest'
import { whyNot } from './why-not.ts'

const ended = { status: 'ABORTED', failureReason: 'ABORTED', pausedBecause: null, steps: [{}, {}] }

test('what a step says comes before the general reason', () => {
  const error = 'The simulation reverted three times: the vault is paused.'
  expect(whyNot({ ...ended, steps: [{}, { error }] })).toEqual({ title: 'Weir aborted it', text: error, color: 'gray' })
  expect(whyNot(ended)?.text).toContain('no longer run as planned')
})

test('only a failure is red: not what people decided, or Weir gave up in time', () => {
  expect(whyNot({ ...ended, status: 'FAILED', failureReason: 'ONCHAIN' })).toMatchObject({ color: 'red' })
  expect(whyNot({ ...ended, failureReason: 'CANCELLED' })).toMatchObject({ title: 'It was cancelled', color: 'gray' })
  expect(whyNot({ ...ended, status: 'REJECTED', failureReason: 'REJECTED' })).toMatchObject({ color: 'gray' })
})

test('what keeps an unfinished operation from being signed is no end of it', () => {
  const waiting = { ...ended, status: 'EXECUTING', failureReason: null, steps: [] }
  expect(whyNot({ ...waiting, pausedBecause: 'No gas.' })).toEqual({
    title: 'It cannot be signed now',
    text: 'No gas.',
    color: 'yellow',
  })
  expect(whyNot(waiting)).toBeUndefined()
  expect(whyNot({ ...ended, failureReason: 'NEW_ONE' })?.text).toBe('NEW_ONE')
})
