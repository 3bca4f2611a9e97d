import { expect, test } from 'vitest'
import { addMilliseconds, JOB_BACKOFF_MS } from '../../kernel/index.ts'
import { JobBackoff } from './job-backoff.ts'

const start = new Date('2026-01-01T00:00:00Z')
const after = (milliseconds: number) => addMilliseconds(start, milliseconds)
const held = (state: 'stalled' | 'new' | 'progresses') => [
  { job: 'follow', isStalled: state === 'stalled', hasProgressed: state === 'progresses' },
]

test('a job that stalls rests until five minutes after it was handed over', () => {
  const backoff = new JobBackoff()
  expect(backoff.update(start, held('new'))).toEqual([])
  expect(backoff.at(start)).toEqual([])
  expect(backoff.update(start, held('stalled'))).toEqual(['follow'])
  // Nobody else can run it.
  expect(backoff.update(after(3_600_000), held('stalled'))).toEqual([])
  expect(backoff.at(after(3_600_000))).toEqual(['follow'])
  expect(backoff.update(after(3_601_000), [])).toEqual([])
  expect(backoff.at(after(3_600_000 + JOB_BACKOFF_MS.first - 1))).toEqual(['follow'])
  expect(backoff.at(after(3_600_000 + JOB_BACKOFF_MS.first))).toEqual([])
})

test('each time that it stalls again it rests twice as long, up to the maximum', () => {
  const backoff = new JobBackoff()
  const lengths = [1, 2, 3, 4, 5].map(() => {
    backoff.update(start, held('new'))
    backoff.update(start, held('stalled'))
    backoff.update(start, [])
    return [1, 2, 4, 8].find((times) => backoff.at(after(times * JOB_BACKOFF_MS.first)).length === 0)
  })
  expect(lengths).toEqual([1, 2, 4, 4, 4])
})

test('progress ends the rest, and the next one is a first one', () => {
  const backoff = new JobBackoff()
  backoff.update(start, held('stalled'))
  backoff.update(start, [])
  backoff.update(start, held('stalled'))
  backoff.update(start, held('progresses'))
  expect(backoff.at(start)).toEqual([])
  backoff.update(start, held('stalled'))
  expect(backoff.at(after(JOB_BACKOFF_MS.first))).toEqual([])
})
