import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMilliseconds, WEBHOOK_RETRY_AFTER_MS } from '../../kernel/index.ts'
import { type EndpointHealth, HEALTHY, healthAfterAttempt, isProbing, JITTER, nextAttemptAt } from './retry-schedule.ts'

const AT = new Date('2026-01-01T00:00:00Z')
const random = fc.uint8Array({ minLength: 2, maxLength: 2 }).map((bytes) => () => bytes)

test('a retry comes within a tenth of its time for any random value, and never after the seventh', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), random, (tries, chance) => {
      const next = nextAttemptAt(tries, AT, chance)
      const pause = WEBHOOK_RETRY_AFTER_MS[tries - 1]
      if (pause === undefined) return next === null
      const wait = next!.getTime() - AT.getTime()
      return wait >= pause * (1 - JITTER) - 1 && wait <= pause * (1 + JITTER) + 1
    }),
  )
})

test('random values reach both ends of that tenth', () => {
  const waits = [0, 255].map(
    (byte) => nextAttemptAt(2, AT, () => new Uint8Array([byte, byte]))!.getTime() - AT.getTime(),
  )
  expect(waits).toEqual([54_000, 66_000])
})

const attempts = fc.array(fc.record({ ok: fc.boolean(), exhausted: fc.boolean(), afterMs: fc.nat(86_400_000) }))

test('the health of a receiver follows from its last attempts, whatever they were', () => {
  fc.assert(
    fc.property(attempts, (sequence) => {
      let health: EndpointHealth = HEALTHY
      let at = AT
      let failed: { at: Date; exhausted: boolean }[] = []
      for (const { ok, exhausted, afterMs } of sequence) {
        at = addMilliseconds(at, afterMs)
        health = healthAfterAttempt(health, { ok, exhausted: !ok && exhausted }, at)
        failed = ok ? [] : [...failed, { at, exhausted }]
        expect(health.failures).toBe(failed.length)
        expect(health.failingSince).toEqual(failed[0]?.at ?? null)
        expect(health.failingAt).toEqual(failed.find((one) => one.exhausted)?.at ?? null)
        expect(isProbing(health)).toBe(failed.length >= 5)
        const pause = health.pausedUntil === null ? 0 : health.pausedUntil.getTime() - at.getTime()
        // A single failing delivery is never retried later than its schedule: a pause is shorter than its wait.
        expect(pause).toBeLessThanOrEqual(failed.length < 5 ? 0 : 60_000)
        if (failed.length >= 5) expect(pause).toBeGreaterThanOrEqual(5_000)
      }
    }),
  )
})
