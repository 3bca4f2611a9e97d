import { afterEach, expect, test } from 'vitest'
import { testDatabase, until } from '../../../testing/index.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { ManualClock, silentLog, WORK_STALLED_MS } from '../../kernel/index.ts'
import { createPeriodicRunner } from './periodic-runner.ts'
import type { PeriodicRunner } from './periodic-work.ts'

/** Jobs without a holder: every process runs them, and reports its own. `stalled-jobs.test.ts` has those with one. */

const database = useFixture(testDatabase)
const started: PeriodicRunner[] = []
afterEach(() => Promise.all(started.splice(0).map((runner) => runner.stop())))

function start(clock: ManualClock, log = silentLog): PeriodicRunner {
  // Renews every 100 milliseconds.
  const runner = createPeriodicRunner({ databaseUrl: database.url, log, clock, leaseMs: 400 })
  started.push(runner)
  // It renews, and so has a look at its jobs, because of this one.
  void runner.every('sweep', 36_000, async () => {})
  return runner
}
const stall = (clock: ManualClock) => clock.advance(WORK_STALLED_MS + 1_000)
const stalledIn = (runner: PeriodicRunner) => runner.report().stalled
const restsIn = (runner: PeriodicRunner) => runner.report().resting

test('a job that always fails stalls in each process that runs it, and no process holds it', async () => {
  const clock = new ManualClock()
  const since = clock.now()
  const { log, lines } = loggedLines()
  const [one, two] = [start(clock, log), start(clock)]
  let failed = 0
  one.everywhere('rebalance', 0.02, async () => {
    failed += 1
    throw new TypeError('no wallet is readable')
  })
  let succeeded = 0
  two.everywhere('rebalance', 0.02, async () => {
    succeeded += 1
  })
  await until(() => failed > 0 && succeeded > 0)
  expect([stalledIn(one), one.report().shared]).toEqual([[], [{ job: 'rebalance', since, failure: 'TypeError' }]])
  stall(clock)
  expect(stalledIn(one)).toEqual([{ job: 'rebalance', seconds: 61, failure: 'TypeError' }])
  await until(() => restsIn(one).length > 0)
  expect(restsIn(one)).toEqual(['rebalance'])
  expect(lines).toContainEqual(
    expect.objectContaining({
      job: 'rebalance',
      failure: 'TypeError',
      msg: 'a periodic job makes no progress in this process; others run it too, if any is left',
    }),
  )
  // It goes on in both: nothing moves.
  const before = { failed, succeeded }
  await until(() => failed > before.failed + 1 && succeeded > before.succeeded + 1)
  expect([stalledIn(two), restsIn(two)]).toEqual([[], []])
  expect(two.report().shared).toEqual([{ job: 'rebalance', since, at: clock.now().toISOString() }])
  for (const { jobs, offered } of [one.report(), two.report()])
    expect([...jobs.map(({ job }) => job), ...offered]).not.toContain('rebalance')
})

test('a job whose round never ends stalls, and one whose round goes on in parts does not', async () => {
  const clock = new ManualClock()
  const runner = start(clock)
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  runner.everywhere('relay events', 0.02, () => ended)
  let part: (() => void) | undefined
  runner.everywhere('rebalance', 0.02, async (_signal, moved) => {
    part = moved
    await ended
  })
  const moved = await until(() => part)
  stall(clock)
  moved()
  expect(stalledIn(runner)).toEqual([{ job: 'relay events', seconds: 61 }])
  clock.advance(3_600_000)
  expect(stalledIn(runner).map(({ job, seconds }) => [job, seconds])).toEqual([
    ['relay events', 3_661],
    ['rebalance', 3_600],
  ])
  await until(() => restsIn(runner).length === 2)
  end()
  await until(() => stalledIn(runner).length === 0 && restsIn(runner).length === 0)
})

test('a job that stalled, and makes progress again, stalls no longer and has no failure', async () => {
  const clock = new ManualClock()
  const runner = start(clock)
  let fails = true
  let rounds = 0
  runner.everywhere('deliver mail', 0.02, async () => {
    rounds += 1
    if (fails) throw new RangeError('no')
  })
  await until(() => rounds > 0)
  stall(clock)
  await until(() => restsIn(runner).length > 0)
  fails = false
  await until(() => stalledIn(runner).length === 0)
  await until(() => restsIn(runner).length === 0)
  expect(runner.report().shared).toMatchObject([{ job: 'deliver mail', at: clock.now().toISOString() }])
  expect(runner.report().shared[0]).not.toHaveProperty('failure')
})

test('work that runs itself stalls without signs of progress, whatever is done to the clock', async () => {
  const clock = new ManualClock()
  let monotonicMs = 0
  const options = { databaseUrl: database.url, log: silentLog, clock, leaseMs: 400, monotonicMs: () => monotonicMs }
  const runner = createPeriodicRunner(options)
  started.push(runner)
  const signs = runner.alongside('deliver webhooks', 0.1)
  signs.succeeded()
  monotonicMs = WORK_STALLED_MS + 99
  expect(stalledIn(runner)).toEqual([])
  signs.failed(new TypeError('no'))
  monotonicMs += 1
  expect(stalledIn(runner)).toEqual([{ job: 'deliver webhooks', seconds: 60, failure: 'TypeError' }])
  signs.moved()
  expect(stalledIn(runner)).toEqual([])
})

test('a job whose statements time out is logged once, by name, and its report has the failure', async () => {
  const clock = new ManualClock()
  const { log, lines } = loggedLines()
  const runner = start(clock, log)
  const rounds = { bad: 0, good: 0 }
  runner.everywhere('rebalance', 0.01, async () => {
    rounds.bad += 1
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  })
  runner.everywhere('chain entries', 0.01, async () => {
    rounds.good += 1
  })
  await until(() => rounds.bad > 4 && rounds.good > 4)
  expect(lines.filter(({ level }) => level !== 30)).toMatchObject([{ job: 'rebalance', msg: 'a periodic job failed' }])
  stall(clock)
  const stalled = stalledIn(runner).find(({ job }) => job === 'rebalance')
  expect(stalled).toMatchObject({ failure: expect.any(String) })
})

test('an outage that only one job notices is logged once, however often the others succeed', async () => {
  const { log, lines } = loggedLines()
  const runner = start(new ManualClock(), log)
  const rounds = { bad: 0, good: 0 }
  runner.everywhere('rebalance', 0.01, async () => {
    rounds.bad += 1
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  })
  runner.everywhere('chain entries', 0.01, async () => {
    rounds.good += 1
  })
  await until(() => rounds.bad > 4 && rounds.good > 4)
  expect(lines.map(({ msg }) => msg).filter((msg) => msg.startsWith('database'))).toEqual(['database unavailable'])
})
