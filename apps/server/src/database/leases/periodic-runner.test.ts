import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProgram, testDatabase, until } from '../../../testing/index.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { ManualClock, silentLog, systemClock } from '../../kernel/index.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import type { JobLease } from './lease-keeper.ts'
import { createPeriodicRunner } from './periodic-runner.ts'
import type { PeriodicRunner, PeriodicRunnerOptions } from './periodic-work.ts'

/** assign-jobs.test.ts tests how jobs are divided, leased-database.test.ts what a lost lease prevents. */

const database = useFixture(testDatabase)

beforeEach(() => sql`create table if not exists written (at serial, worker text)`.execute(database.db))

const started: PeriodicRunner[] = []
const worker = (options: Partial<PeriodicRunnerOptions> = {}): PeriodicRunner => {
  const runner = createPeriodicRunner({ databaseUrl: database.url, log: silentLog, clock: systemClock, ...options })
  started.push(runner)
  return runner
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((runner) => runner.stop()))
  await sql`truncate written restart identity`.execute(database.db)
})

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
/** The jobs that a process runs, as it sees it. */
const ownJobs = (runner: PeriodicRunner): string[] => {
  const { workerId, jobs } = runner.report()
  return jobs.flatMap((job) => (job.workerId === workerId ? [job.job] : [])).sort()
}

test('one of five processes does the work, round after round, and another takes over when it stops', async () => {
  const rounds = new Map<number, number>()
  const workers = Array.from({ length: 5 }, (_, number) => {
    const periodic = worker()
    periodic.every('sweep', 0.02, async () => {
      rounds.set(number, (rounds.get(number) ?? 0) + 1)
    })
    return periodic
  })
  await until(() => [...rounds.values()].some((count) => count >= 5))
  expect(rounds.size).toBe(1)
  const [first] = rounds.keys()
  await workers[first!]!.stop()
  await until(() => rounds.size === 2)
})

test('jobs are divided again when a process joins and when one stops, and no job runs twice at once', async () => {
  const jobs = ['a', 'b', 'c', 'd', 'e', 'f']
  const active = new Map<string, number>()
  let worst = 0
  const start = async () => {
    const runner = worker()
    const round = (job: string) => async (signal: AbortSignal) => {
      active.set(job, (active.get(job) ?? 0) + 1)
      worst = Math.max(worst, active.get(job)!)
      await untilAborted(signal)
      active.set(job, active.get(job)! - 1)
    }
    for (const job of jobs) void runner.every(job, 0.02, round(job), { group: job < 'e' ? 'chains' : 'other' })
    return runner
  }
  const one = await start()
  await until(() => ownJobs(one).length === 6)
  const two = await start()
  await until(() => ownJobs(one).length === 3 && ownJobs(two).length === 3)
  expect(ownJobs(one).filter((job) => job < 'e')).toHaveLength(2)
  await until(() => [...active.values()].every((count) => count === 1))
  await one.stop()
  await until(() => ownJobs(two).length === 6)
  expect(worst).toBe(1)
})

test('a killed process is replaced at once, whatever its leases say', async () => {
  const killed = startProgram('periodic-worker', [database.url, '3600000'])
  await Promise.all([killed.line('follow'), killed.line('sweep')])
  const rounds = new Set<string>()
  const periodic = worker()
  await Promise.all(['follow', 'sweep'].map((job) => periodic.every(job, 0.05, async () => void rounds.add(job))))
  // It got its share, and the other process keeps the rest.
  await until(() => rounds.size === 1)
  await killed.kill()
  await until(() => rounds.size === 2)
})

test('a process that hangs is replaced when its leases expire, and cannot write when it wakes', async () => {
  const hung = startProgram('periodic-worker', [database.url, '2000'])
  try {
    await Promise.all([hung.line('follow'), hung.line('sweep')])
    hung.process.kill('SIGSTOP')
    const periodic = worker({ leaseMs: 2_000 })
    const round = async (_signal: AbortSignal, lease: JobLease) => {
      await inTransaction(lease.database(database.db), (tx) =>
        sql`insert into written (worker) values (${`new ${lease.job}`})`.execute(tx),
      )
    }
    const jobs = ['follow', 'sweep']
    for (const job of jobs) void periodic.every(job, 0.02, round)
    await until(async () => new Set(await writers()).size === 4)
    hung.process.kill('SIGCONT')
    // It notices, and what it then tries to write fails: another process has the jobs.
    expect([await hung.line('LeaseLost follow'), await hung.line('LeaseLost sweep')]).toHaveLength(2)
    const writes = await writers()
    for (const job of jobs) {
      const own = writes.filter((writer) => writer.endsWith(job))
      const takenOver = own.indexOf(`new ${job}`)
      expect(own.slice(0, takenOver)).toEqual([`child ${job}`])
    }
    // It is one of two again, and gets its share.
    await until(() => ownJobs(periodic).length === 1)
  } finally {
    await hung.kill()
  }

  async function writers(): Promise<string[]> {
    const { rows } = await sql<{ worker: string }>`select worker from written order by at`.execute(database.db)
    return rows.map((row) => row.worker)
  }
})

test('a job without a lease runs in every process', async () => {
  const ran = new Set<number>()
  const workers = [1, 2, 3].map((number) => {
    const runner = worker()
    runner.everywhere('claims', 0.02, async () => void ran.add(number))
    return runner
  })
  await until(() => ran.size === workers.length)
})

test('waiting for the first round requires neither the lease nor a successful round', async () => {
  const [holder, other] = [worker(), worker()]
  await holder.every('shared', 60, async () => {})
  let rounds = 0
  await other.every('shared', 60, async () => {
    rounds += 1
  })
  expect(rounds).toBe(0)
  await other.every('failing', 60, () => Promise.reject(new Error('this round fails')))
})

test('a round that throws does not end the work, and the same failure is logged once', async () => {
  const warnings: unknown[] = []
  const log = { ...silentLog, warn: (facts: unknown) => void warnings.push(facts), info: () => undefined }
  let rounds = 0
  const periodic = worker({ log: log as never })
  periodic.every('failing', 0.01, async () => {
    rounds += 1
    throw new Error('this round fails')
  })
  await until(() => rounds >= 3)
  expect(warnings).toHaveLength(1)
})

test('a process that loses its connection aborts its round and gets the lease again', async () => {
  const signals: AbortSignal[] = []
  const periodic = worker()
  periodic.every('cut', 0.01, (signal) => {
    signals.push(signal)
    return untilAborted(signal)
  })
  await until(() => signals.length === 1)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'weir leases' and datname = current_database()
  `.execute(database.db)
  await until(() => signals.length === 2)
  expect(signals[0]!.aborted).toBe(true)
  expect(signals[1]!.aborted).toBe(false)
  await periodic.stop()
  expect(signals[1]!.aborted).toBe(true)
})

test('stopping waits for the running round', async () => {
  let ended = false
  let begun = false
  const periodic = worker()
  periodic.every('slow', 1, async (signal) => {
    begun = true
    await untilAborted(signal)
    await sql`select 1`.execute(database.db)
    ended = true
  })
  await until(() => begun)
  await periodic.stop()
  expect(ended).toBe(true)
})

test('a job that a process of an earlier version runs is left to it', async () => {
  await database.db.connection().execute(async (earlier) => {
    await sql`select pg_advisory_lock(hashtextextended('weir periodic follow base', 0))`.execute(earlier)
    const periodic = worker({ leaseMs: 400 })
    let rounds = 0
    await periodic.every('follow base', 0.01, async () => {
      rounds += 1
    })
    expect([rounds, ownJobs(periodic)]).toEqual([0, []])
    await sql`select pg_advisory_unlock_all()`.execute(earlier)
    await until(() => rounds > 0)
  })
})

test('a process of an earlier version gets no lock for a job that a newer one runs, until that stops', async () => {
  await database.db.connection().execute(async (earlier) => {
    const tryLock = async () => {
      const { rows } = await sql<{ isMine: boolean }>`
        select pg_try_advisory_lock(hashtextextended('weir periodic follow base', 0)) as "isMine"
      `.execute(earlier)
      return rows[0]!.isMine
    }
    const periodic = worker()
    await periodic.every('follow base', 0.01, async () => undefined)
    expect(await tryLock()).toBe(false)
    await periodic.stop()
    expect(await tryLock()).toBe(true)
    await sql`select pg_advisory_unlock_all()`.execute(earlier)
  })
})

test('reports who does what, and jobs that make no progress', async () => {
  const clock = new ManualClock()
  const [one, two] = [worker({ clock }), worker({ clock })]
  let rounds = 0
  await one.every(
    'failing',
    0.02,
    async () => {
      rounds += 1
      throw new TypeError('this round fails')
    },
    { progress: () => ({ blocksBehind: 7, latestBlockAt: '2026-01-01T00:00:00.000Z' }) },
  )
  await two.every('other', 60, async () => {})
  const { workerId } = one.report()
  const found = await until(() => two.report().jobs.find(({ job }) => job === 'failing'))
  expect(found).toMatchObject({ workerId, worker: expect.stringContaining(` ${process.pid}`) })
  const own = one.report().jobs.find(({ job }) => job === 'failing')
  expect(own).toMatchObject({ failure: 'TypeError', blocksBehind: 7, latestBlockAt: '2026-01-01T00:00:00.000Z' })
  expect([one.report().stalled, one.report().offered, two.report().offered]).toEqual([[], ['failing'], ['other']])
  clock.advance(61_000)
  const before = rounds
  await until(() => rounds > before)
  expect(one.report().stalled).toEqual([{ job: 'failing', seconds: 61, failure: 'TypeError' }])
  // A round that is not due yet lacks nothing.
  expect(two.report().stalled).toEqual([])
})

test('a job that hangs is stalled also where the clock was set back', async () => {
  const clock = new ManualClock(new Date())
  let [passedMs, rounds] = [0, 0]
  const runner = worker({ clock, monotonicMs: () => passedMs })
  void runner.every('hanging', 0.01, async (signal) => {
    rounds += 1
    if (rounds > 1) await untilAborted(signal)
  })
  await until(() => rounds === 2)
  clock.advance(-3_600_000)
  passedMs += 61_000
  expect(runner.report().stalled).toEqual([{ job: 'hanging', seconds: 61 }])
})

test('a job that runs everywhere has its next round sooner on request, even while one runs', async () => {
  let rounds = 0
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const wakeJob = worker().everywhere('relay', 3_600, async () => {
    rounds += 1
    if (rounds === 2) await isReleased
  })
  await until(() => rounds === 1)
  wakeJob(0.01)
  await until(() => rounds === 2)
  wakeJob(0.01)
  release()
  await until(() => rounds === 3)
})

test('a job that fails for two causes in turn is logged once for each, and once when it succeeds', async () => {
  const { log, lines } = loggedLines()
  let rounds = 0
  const said = () => lines.filter(({ job }) => job === 'sweep')
  void worker({ log }).every('sweep', 0.01, async () => {
    rounds += 1
    if (rounds <= 6) throw new Error(rounds % 2 === 0 ? 'no disk' : 'no memory')
  })
  await until(() => said().length >= 3)
  expect(said()).toMatchObject([
    { err: { message: 'no memory' }, msg: 'a periodic job failed' },
    { err: { message: 'no disk' }, msg: 'a periodic job failed' },
    { failures: 6, seconds: expect.any(Number), msg: 'a periodic job succeeds again' },
  ])
})
