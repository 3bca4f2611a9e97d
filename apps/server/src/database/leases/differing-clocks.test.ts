import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { testDatabase, until } from '../../../testing/index.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { type Clock, createClockComparison, silentLog, systemClock } from '../../kernel/index.ts'
import { createPeriodicRunner } from './periodic-runner.ts'
import type { PeriodicRunner } from './periodic-work.ts'

/** kernel/clock-comparison.test.ts tests how clocks are compared, several-clocks.test.ts real processes. */

const database = useFixture(testDatabase)
const started: PeriodicRunner[] = []
afterEach(() => Promise.all(started.splice(0).map((runner) => runner.stop())))

/** A process whose clock a test sets; the time passes as on this machine. */
function process(log = silentLog) {
  let aheadMs = 0
  const clock: Clock = { now: () => new Date(systemClock.now().getTime() + aheadMs) }
  const clocks = createClockComparison({ clock, log })
  const runner = createPeriodicRunner({ databaseUrl: database.url, log, clock, clocks, leaseMs: 4_000 })
  started.push(runner)
  const rounds: Record<string, number> = { follow: 0, expire: 0, rebalance: 0 }
  const count = (job: string) => async () => {
    rounds[job]! += 1
  }
  const begin = () => {
    void runner.every('follow', 0.02, count('follow'))
    void runner.every('expire', 0.02, count('expire'), { endsByTime: true })
    runner.everywhere('rebalance', 0.02, count('rebalance'))
    const deliveries = runner.alongside('deliver', 1)
    return deliveries
  }
  const held = () => {
    const { workerId, jobs } = runner.report()
    return jobs.flatMap((job) => (job.workerId === workerId ? [job.job] : [])).sort()
  }
  const set = (milliseconds: number) => {
    aheadMs = milliseconds
  }
  /** As the service does before it begins any work. */
  const compare = async () => {
    const sentMs = performance.now()
    const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(database.db)
    clocks.heard(rows[0]!.time, sentMs)
  }
  return { runner, rounds, begin, held, set, compare }
}

/** Waits for some renewals of a process, and what follows from them. */
async function renewals({ runner }: ReturnType<typeof process>): Promise<void> {
  const name = () => sql<{ at: Date }>`select expires_at as at from workers where id = ${runner.report().workerId}`
  const at = async () => (await name().execute(database.db)).rows[0]?.at.getTime() ?? 0
  for (let times = 0; times < 4; times += 1) {
    const before = await at()
    await until(async () => (await at()) > before)
  }
}

test.each([600_000, -600_000])(
  'a process whose clock differs by %i ms begins no job that another one can run',
  async (aheadMs) => {
    const [wrong, right] = [process(), process()]
    wrong.set(aheadMs)
    right.begin()
    await until(() => right.held().length === 2)
    await wrong.compare()
    const deliveries = wrong.begin()
    await renewals(wrong)
    expect(wrong.rounds).toEqual({ follow: 0, expire: 0, rebalance: 0 })
    expect(deliveries.isLeft()).toBe(true)
    expect([wrong.held(), right.held()]).toEqual([[], ['expire', 'follow']])
    // A job that is left to others is not stalled, and does not rest because it had been.
    expect([wrong.runner.report().stalled, wrong.runner.report().resting]).toEqual([[], []])
  },
)

test('a process whose clock is set begins no further round that ends what others began, and hands over', async () => {
  const { log, lines } = loggedLines()
  const one = process(log)
  one.begin()
  await until(() => one.rounds.expire! > 0)
  const two = process()
  two.begin()
  await until(() => two.held().length === 1)
  one.set(600_000)
  const { expire } = one.rounds
  await until(() => two.held().length === 2)
  await until(() => one.held().length === 0)
  // The round that was under way.
  expect(one.rounds.expire! - expire!).toBeLessThanOrEqual(1)
  const about = lines.filter(({ aheadSeconds }) => aheadSeconds !== undefined)
  expect(about).toMatchObject([{ level: 40, aheadSeconds: 600 }])
  one.set(0)
  await until(() => one.held().length === 1)
  expect(lines.filter(({ aheadSeconds }) => aheadSeconds !== undefined)).toHaveLength(2)
})

test('alone, or among processes that all differ, a process runs all but what ends by time', async () => {
  const [one, two] = [process(), process()]
  one.set(600_000)
  two.set(590_000)
  const deliveries = one.begin()
  await until(() => one.rounds.follow! > 2 && one.rounds.rebalance! > 2)
  expect([one.held(), one.rounds.expire, deliveries.isLeft()]).toEqual([['follow'], 0, false])
  two.begin()
  await until(() => two.rounds.rebalance! > 2)
  await renewals(one)
  const { rebalance } = one.rounds
  await until(() => one.rounds.rebalance! > rebalance! + 2)
  expect([one.rounds.expire, two.rounds.expire]).toEqual([0, 0])
  // A job that nobody may run is held by nobody, which is an alert.
  expect([...one.held(), ...two.held()]).toEqual(['follow'])
  expect(one.runner.report().offered).toContain('expire')
  two.set(0)
  await until(() => two.held().length === 2)
  await until(() => two.rounds.expire! > 0)
})
