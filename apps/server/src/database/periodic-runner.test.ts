import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startProgram, testDatabase, until } from '../../testing/index.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { silentLog } from '../kernel/index.ts'
import { createPeriodicRunner } from './periodic-runner.ts'

const database = useFixture(testDatabase)

const process = () => createPeriodicRunner({ databaseUrl: database.url, log: silentLog })

test('of five processes one does the work, round after round, and another takes over when it stops', async () => {
  const rounds = new Map<number, number>()
  const workers = Array.from({ length: 5 }, (_, number) => {
    const periodic = process()
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
  await Promise.all(workers.map((worker) => worker.stop()))
})

test('the work of a killed process passes to another process', async () => {
  const killed = startProgram('periodic-worker', [database.url])
  await Promise.all([killed.line('follow'), killed.line('sweep')])
  const rounds: string[] = []
  const periodic = process()
  const round = (job: string) => async () => {
    rounds.push(job)
  }
  await Promise.all(['follow', 'sweep'].map((job) => periodic.every(job, 0.05, round(job))))
  expect(rounds).toEqual([])
  await killed.kill()
  await until(() => rounds.includes('follow') && rounds.includes('sweep'))
  await periodic.stop()
})

test('waiting for the first round requires neither the lock nor a successful round', async () => {
  const [holder, other] = [process(), process()]
  await holder.every('shared', 60, async () => {})
  let rounds = 0
  await other.every('shared', 60, async () => {
    rounds += 1
  })
  expect(rounds).toBe(0)
  await other.every('failing', 60, () => Promise.reject(new Error('this round fails')))
  await Promise.all([holder.stop(), other.stop()])
})

test('a round that throws does not end the work', async () => {
  let rounds = 0
  const periodic = process()
  periodic.every('failing', 0.01, async () => {
    rounds += 1
    throw new Error('this round fails')
  })
  await until(() => rounds >= 3)
  await periodic.stop()
})

test('a process that loses its connection aborts its round and requests the lock again', async () => {
  const signals: AbortSignal[] = []
  const periodic = process()
  periodic.every('cut', 0.01, (signal) => {
    signals.push(signal)
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  })
  await until(() => signals.length === 1)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'weir periodic' and datname = current_database()
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
  const periodic = process()
  periodic.every('slow', 1, async (signal) => {
    begun = true
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await sql`select 1`.execute(database.db)
    ended = true
  })
  await until(() => begun)
  await periodic.stop()
  expect(ended).toBe(true)
})
