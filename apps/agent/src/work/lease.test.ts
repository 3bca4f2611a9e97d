import { expect, test } from 'vitest'
import type { Clock } from '../clock.ts'
import { ServiceError } from '../service/service-error.ts'
import type { AgentTransaction } from '../service/work.ts'
import { holdLease } from './lease.ts'

/** A clock that moves only when it is slept on, and pauses after each sleep for the test to check. */
function steppedClock() {
  let at = 1_000
  let wake = () => {}
  const clock: Clock = {
    now: () => new Date('2020-01-01T00:00:00Z'),
    monotonic: () => at,
    random: () => 0.5,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve())
        wake = () => {
          at += milliseconds
          resolve()
        }
      }),
  }
  const tick = async (late = 0) => {
    at += late
    wake()
    await new Promise(setImmediate)
  }
  return { clock, tick }
}

const transaction = {
  id: 7,
  leaseToken: 'lease_1',
  claimedAt: '2031-05-05T12:00:00.000Z',
  leaseExpiresAt: '2031-05-05T12:00:10.000Z',
} as AgentTransaction

function held(renew: () => Promise<void>) {
  const { clock, tick } = steppedClock()
  const emitted: string[] = []
  const service = { renew }
  const lease = holdLease(transaction, { service, clock, emit: (step) => emitted.push(step) })
  return { lease, tick, emitted }
}

test('a lease is renewed as long as it is held, whatever the machine’s date', async () => {
  const { lease, tick, emitted } = held(async () => {})
  for (let round = 0; round < 5; round++) await tick()
  expect(emitted).toEqual(Array(5).fill('lease-renewed'))
  expect(lease.lost.aborted).toBe(false)
  lease.release()
  await tick()
  expect(emitted).toHaveLength(5)
})

test('a lease that the service does not renew is lost at once', async () => {
  const { lease, tick, emitted } = held(() => Promise.reject(new ServiceError(409, 'LEASE_LOST', 'lost')))
  await tick()
  expect(emitted).toEqual(['lease-lost'])
  expect(lease.lost.aborted).toBe(true)
})

test('while the service does not respond, the lease lasts for its own duration minus a margin', async () => {
  const { lease, tick } = held(() => Promise.reject(new ServiceError(0, 'NO_ANSWER', 'silent')))
  await tick()
  await tick()
  expect(lease.lost.aborted).toBe(false)
  await tick()
  expect(lease.lost.aborted).toBe(true)
})

test('a process that was suspended beyond its lease notices when it resumes', async () => {
  const { lease, tick, emitted } = held(async () => {})
  await tick(60_000)
  expect(lease.lost.aborted).toBe(true)
  expect(emitted).toEqual(['lease-lost'])
})

test('a released lease is never reported as lost', async () => {
  const { lease, tick, emitted } = held(async () => {})
  lease.release()
  await tick(60_000)
  expect(lease.lost.aborted).toBe(false)
  expect(emitted).toEqual([])
})
