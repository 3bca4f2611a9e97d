import { expect, test } from 'vitest'
import type { Clock } from '../clock.ts'
import { ServiceError } from '../service/service-error.ts'
import { pollAndAct } from './loop.ts'

/** A service that responds from a script and then stops the loop, and a clock that records each sleep. */
function scripted(answers: readonly (number | null | ServiceError)[], pollTakesMs = 0) {
  const stopping = new AbortController()
  const slept: number[] = []
  const left = [...answers]
  let at = 0
  const clock: Clock = {
    now: () => new Date(at),
    monotonic: () => at,
    random: () => 1,
    sleep: async (milliseconds) => void slept.push(milliseconds),
  }
  const poll = async () => {
    at += pollTakesMs
    const next = left.shift()
    if (left.length === 0) stopping.abort()
    if (next instanceof ServiceError) throw next
    return next ?? null
  }
  return { stopping: stopping.signal, slept, clock, poll, waitMs: 10_000 }
}

const silent = new ServiceError(0, 'NO_ANSWER', 'silent')

test('polls again at once after work, up to its concurrency', async () => {
  const parts = scripted([1, 2, 3, 4, 5, null])
  let [running, most] = [0, 0]
  const done: number[] = []
  await pollAndAct({
    ...parts,
    concurrency: 2,
    onPoll: () => {},
    async act(work) {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      done.push(work)
    },
  })
  expect({ most, done }).toEqual({ most: 2, done: [1, 2, 3, 4, 5] })
})

test('backs off longer and longer without a response, and starts over after one', async () => {
  const parts = scripted([silent, silent, silent, 1, silent, null])
  const told: (string | undefined)[] = []
  await pollAndAct({ ...parts, concurrency: 1, act: async () => {}, onPoll: (error) => told.push(error?.code) })
  expect(parts.slept.slice(0, 4)).toEqual([250, 500, 1_000, 250])
  expect(told).toEqual(['NO_ANSWER', 'NO_ANSWER', 'NO_ANSWER', undefined, 'NO_ANSWER', undefined])
})

test('waits as long as a rate limit says', async () => {
  const limited = new ServiceError(429, 'RATE_LIMIT_EXCEEDED', 'slow down', 7_000)
  const parts = scripted([limited, null])
  await pollAndAct({ ...parts, concurrency: 1, act: async () => {}, onPoll: () => {} })
  expect(parts.slept[0]).toBe(7_000)
})

test('a service that asks for no delay is polled with delays', async () => {
  const hasty = new ServiceError(503, 'NOT_READY', 'at once', 0)
  const parts = scripted([hasty, hasty, hasty, null])
  await pollAndAct({ ...parts, concurrency: 1, act: async () => {}, onPoll: () => {} })
  expect(parts.slept.slice(0, 3)).toEqual([250, 500, 1_000])
})

test('polls again at once after an empty response that waited, and pauses after one that did not', async () => {
  const eager = scripted([null, null])
  await pollAndAct({ ...eager, concurrency: 1, act: async () => {}, onPoll: () => {} })
  expect(eager.slept).toEqual([2_000, 2_000])
  const patient = scripted([null, null], 10_000)
  await pollAndAct({ ...patient, concurrency: 1, act: async () => {}, onPoll: () => {} })
  expect(patient.slept).toEqual([])
})
