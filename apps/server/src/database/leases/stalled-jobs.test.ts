import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { testDatabase, until } from '../../../testing/index.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { JOB_BACKOFF_MS, ManualClock, silentLog, WORK_STALLED_MS } from '../../kernel/index.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import type { JobLease } from './lease-keeper.ts'
import { createPeriodicRunner } from './periodic-runner.ts'
import type { LeasedHandler, PeriodicRunner } from './periodic-work.ts'

/** job-backoff.test.ts tests how long a job rests, assign-jobs.test.ts who gets it. */

const database = useFixture(testDatabase)
const started: PeriodicRunner[] = []
afterEach(() => Promise.all(started.splice(0).map((runner) => runner.stop())))

function start(clock: ManualClock, log = silentLog): PeriodicRunner {
  // Renews every second, so that no lease ends on a busy machine.
  const runner = createPeriodicRunner({ databaseUrl: database.url, log, clock, leaseMs: 4_000 })
  started.push(runner)
  return runner
}
const stall = (clock: ManualClock) => clock.advance(WORK_STALLED_MS + 1_000)
const runs = (runner: PeriodicRunner, job = 'follow') => {
  const { workerId, jobs } = runner.report()
  return jobs.some((one) => one.job === job && one.workerId === workerId)
}
const fails = () => Promise.reject(new TypeError('no node responds'))
const succeeds = async () => {}
/** Rounds that succeed, counted. */
function counted() {
  const round = async (): Promise<void> => {
    round.count += 1
  }
  round.count = 0
  return round
}

/** A process that has the job, and a second one. */
async function startTwo(clock: ManualClock, first: LeasedHandler, second: LeasedHandler, log = silentLog) {
  const [one, two] = [start(clock, log), start(clock)]
  await one.every('follow', 0.02, first)
  await until(() => runs(one))
  await two.every('follow', 0.02, second)
  return [one, two] as const
}

test('a job whose rounds fail goes to a process where they may not, and stays there', async () => {
  const clock = new ManualClock()
  const { log, lines } = loggedLines()
  const works = counted()
  const [one, two] = await startTwo(clock, fails, works, log)
  expect([works.count, runs(one)]).toEqual([0, true])
  stall(clock)
  await until(() => works.count > 0)
  expect(one.report()).toMatchObject({ stalled: [], resting: ['follow'] })
  expect(lines).toContainEqual(
    expect.objectContaining({
      job: 'follow',
      failure: 'TypeError',
      msg: expect.stringContaining('makes no progress in this process'),
    }),
  )
  clock.advance(JOB_BACKOFF_MS.first)
  await until(() => one.report().resting.length === 0)
  const before = works.count
  await until(() => works.count > before + 2)
  expect([runs(one), runs(two)]).toEqual([false, true])
})

test('a round that does not end is left: another process gets the job, and nothing that the round then writes counts', async () => {
  const clock = new ManualClock()
  const { handler, seen } = hangingOnce()
  const works = counted()
  const [one, two] = [start(clock), start(clock)]
  void one.every('follow', 0.02, handler)
  await until(() => runs(one))
  void two.every('follow', 0.02, works)
  stall(clock)
  await until(() => works.count > 0)
  seen.wake()
  await until(() => seen.late !== undefined)
  expect(seen.late).toBe('LeaseLost')
  const before = works.count
  await until(() => works.count > before + 2)
  expect([runs(one), runs(two)]).toEqual([false, true])
})

/** A handler whose first round does not end until it is woken, and then writes under its lease. */
function hangingOnce() {
  let wake = () => {}
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  const seen = { leases: new Set<JobLease>(), rounds: 0, late: undefined as string | undefined, wake: () => wake() }
  const handler: LeasedHandler = async (_signal, lease) => {
    seen.leases.add(lease)
    seen.rounds += 1
    if (seen.rounds > 1) return
    await woken
    try {
      await inTransaction(lease.database(database.db), async () => {})
      seen.late = 'written'
    } catch (error) {
      seen.late = (error as Error).name
      throw error
    }
  }
  return { handler, seen }
}

test('a process whose round does not end gets the job again when the other one stops, and its old round ends nothing', async () => {
  const clock = new ManualClock()
  const works = counted()
  const { handler, seen } = hangingOnce()
  const [one, two] = [start(clock), start(clock)]
  void one.every('follow', 0.02, handler)
  await until(() => seen.rounds === 1)
  void two.every('follow', 0.02, works)
  stall(clock)
  await until(() => works.count > 0)
  await two.stop()
  await until(() => seen.rounds > 2)
  await until(() => one.report().resting.length === 0)
  expect(one.report().stalled).toEqual([])
  seen.wake()
  await until(() => seen.late !== undefined)
  expect(seen.late).toBe('LeaseLost')
  const before = seen.rounds
  await until(() => seen.rounds > before + 2)
  expect(seen.leases.size).toBe(2)
})

test('a process that is alone, and whose round does not end, gets its job again after it lost its connection', async () => {
  const clock = new ManualClock()
  const { handler, seen } = hangingOnce()
  const one = start(clock)
  void one.every('follow', 0.02, handler)
  await until(() => seen.rounds === 1)
  stall(clock)
  await until(() => one.report().resting.length > 0)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'weir leases' and datname = current_database()
  `.execute(database.db)
  await until(() => seen.rounds > 2)
  seen.wake()
})

test('a process that is alone keeps what stalls, and gives it to one that joins', async () => {
  const clock = new ManualClock()
  let failures = 0
  const one = start(clock)
  await one.every('follow', 0.02, async () => {
    failures += 1
    throw new TypeError('no node responds')
  })
  stall(clock)
  await until(() => one.report().resting.length > 0)
  const before = failures
  await until(() => failures > before + 10)
  expect(runs(one)).toBe(true)
  expect(one.report().stalled).toMatchObject([{ job: 'follow', failure: 'TypeError' }])
  const two = start(clock)
  void two.every('follow', 0.02, succeeds)
  await until(() => runs(two))
})

test('the last progress of a job goes with it from process to process', async () => {
  const clock = new ManualClock()
  const progressed = clock.now().toISOString()
  let rounds = 0
  const [, two] = await startTwo(
    clock,
    async () => {
      rounds += 1
      if (rounds > 1) await fails()
    },
    fails,
  )
  await until(() => rounds > 1)
  // Reported with the next renewal.
  await until(() => two.report().jobs[0]?.at === progressed)
  stall(clock)
  await until(() => runs(two))
  expect(two.report().jobs).toMatchObject([{ job: 'follow', at: progressed }])
})

test('a job that stalls in both moves at growing intervals, and always has a holder', async () => {
  const clock = new ManualClock()
  const [one, two] = await startTwo(clock, fails, fails)
  stall(clock)
  await until(() => runs(two))
  stall(clock)
  await until(() => two.report().resting.length > 0)
  // The first one still rests.
  expect([one.report().resting, runs(two)]).toEqual([['follow'], true])
  clock.advance(JOB_BACKOFF_MS.first)
  await until(() => runs(one))
  // It stalls again, but the second one still rests.
  stall(clock)
  await until(() => one.report().stalled.length > 0 && one.report().resting.length > 0)
  expect(runs(one)).toBe(true)
  clock.advance(JOB_BACKOFF_MS.first)
  await until(() => runs(two))
  stall(clock)
  // Its rest is twice as long by now.
  clock.advance(JOB_BACKOFF_MS.first)
  await until(() => two.report().resting.length > 0)
  expect([one.report().resting, runs(two)]).toEqual([['follow'], true])
})
