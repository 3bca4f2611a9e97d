import { expect, test } from 'vitest'
import { addMilliseconds, JOB_REST_MS } from '../../kernel/index.ts'
import { JobRests } from './job-rests.ts'

const start = new Date('2026-01-01T00:00:00Z')
const after = (milliseconds: number) => addMilliseconds(start, milliseconds)
const held = (state: 'stalled' | 'new' | 'progresses') => [
  { job: 'follow', isStalled: state === 'stalled', hasProgressed: state === 'progresses' },
]

test('a job that stalls rests until five minutes after it was handed over', () => {
  const rests = new JobRests()
  expect(rests.update(start, held('new'))).toEqual([])
  expect(rests.at(start)).toEqual([])
  expect(rests.update(start, held('stalled'))).toEqual(['follow'])
  // Nobody else can run it.
  expect(rests.update(after(3_600_000), held('stalled'))).toEqual([])
  expect(rests.at(after(3_600_000))).toEqual(['follow'])
  expect(rests.update(after(3_601_000), [])).toEqual([])
  expect(rests.at(after(3_600_000 + JOB_REST_MS.first - 1))).toEqual(['follow'])
  expect(rests.at(after(3_600_000 + JOB_REST_MS.first))).toEqual([])
})

test('each time that it stalls again it rests twice as long, up to the maximum', () => {
  const rests = new JobRests()
  const lengths = [1, 2, 3, 4, 5].map(() => {
    rests.update(start, held('new'))
    rests.update(start, held('stalled'))
    rests.update(start, [])
    return [1, 2, 4, 8].find((times) => rests.at(after(times * JOB_REST_MS.first)).length === 0)
  })
  expect(lengths).toEqual([1, 2, 4, 4, 4])
})

test('progress ends the rest, and the next one is a first one', () => {
  const rests = new JobRests()
  rests.update(start, held('stalled'))
  rests.update(start, [])
  rests.update(start, held('stalled'))
  rests.update(start, held('progresses'))
  expect(rests.at(start)).toEqual([])
  rests.update(start, held('stalled'))
  expect(rests.at(after(JOB_REST_MS.first))).toEqual([])
})
