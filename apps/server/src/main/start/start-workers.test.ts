import { afterEach, expect, test } from 'vitest'
import { testDatabase, until } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { createPeriodicRunner, type PeriodicRunner } from '../../database/index.ts'
import { ManualClock, silentLog, WORK_STALLED_MS } from '../../kernel/index.ts'
import type { App } from '../../surfaces/http/app.ts'
import { testServer } from '../../surfaces/http/server/test-server.ts'
import { makesProgress } from './start-workers.ts'

const database = useFixture(testDatabase)
const opened: { runner?: PeriodicRunner; app?: App } = {}
afterEach(async () => {
  await opened.app?.close()
  await opened.runner?.stop()
})

// `several-processes.test.ts` tests the workers of several processes.
test('a process makes progress while none of its jobs is stalled and its leases are renewed within a minute', () => {
  const fine = { workerId: 1, jobs: [], shared: [], offered: [], stalled: [], resting: [], renewedMs: 59_999 }
  expect(makesProgress(fine)).toBe(true)
  expect(makesProgress({ ...fine, stalled: [{ job: 'follow base', seconds: 61 }] })).toBe(false)
  expect(makesProgress({ ...fine, renewedMs: 60_000 })).toBe(false)
  expect(makesProgress({ ...fine, renewedMs: Number.POSITIVE_INFINITY })).toBe(false)
})

test('a worker in which a job of every worker always fails, or never ends, is not ready, and /ready names both', async () => {
  const clock = new ManualClock()
  const since = clock.now().toISOString()
  const runner = createPeriodicRunner({ databaseUrl: database.url, log: silentLog, clock })
  opened.runner = runner
  await runner.every('sweep', 36_000, async () => {})
  let isBroken = true
  let rounds = 0
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  runner.everywhere('rebalance', 0.02, async () => {
    rounds += 1
    if (isBroken) throw new TypeError('no wallet is readable')
  })
  runner.everywhere('relay events', 0.02, () => ended)
  await until(() => rounds > 0 && runner.report().workerId !== undefined)
  const { workerId: worker } = runner.report()
  const { app } = await testServer(() => {}, {
    checks: { progress: async () => makesProgress(runner.report()) },
    work: runner.report,
  })
  opened.app = app
  const ready = await app.inject('/ready')
  expect(ready.statusCode).toBe(200)
  expect(ready.json().work).toEqual([
    { job: 'sweep', worker, since, lastProgressAt: since },
    { job: 'rebalance', worker, since, failure: 'TypeError' },
    { job: 'relay events', worker, since },
  ])
  clock.advance(WORK_STALLED_MS + 1_000)
  const stalled = await app.inject('/ready')
  expect(stalled.statusCode).toBe(503)
  expect(stalled.json().details).toEqual({
    checks: { progress: 'failed' },
    stalled: [
      { job: 'rebalance', seconds: 61, failure: 'TypeError' },
      { job: 'relay events', seconds: 61 },
    ],
  })
  isBroken = false
  end()
  await until(async () => (await app.inject('/ready')).statusCode === 200)
})
