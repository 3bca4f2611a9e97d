import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RampFixture, startRampFixture } from '../../../testing/ramp-fixture.ts'
import { rampBacklog } from './backlog.ts'
import { TERMINAL_RAMP_STATUSES } from './ramp-transaction-states.ts'

let job: RampFixture
beforeAll(async () => {
  job = await startRampFixture()
})
afterAll(() => job?.close())

const backlog = () => rampBacklog(job.parts.db, job.clock.now())

test('what is under way is counted until it ends, and its age with it', async () => {
  const client = await job.organization()
  await client.onramp()
  await client.simulate('onramp', { scenario: 'rejected' })
  job.clock.advance(1_000)
  expect(await backlog()).toEqual({ onramp: 1, offramp: 0, oldestSeconds: 1 })
  await job.settle()
  expect(await backlog()).toEqual({ onramp: 0, offramp: 0, oldestSeconds: 0 })
})

test('the index of what is under way leaves out just what the machine calls ended', async () => {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where indexname = 'ramp_transactions_open'
  `.execute(job.parts.db)
  const named = [...rows[0]!.definition.matchAll(/'([a-z_]+)'/g)].map(([, status]) => status)
  expect(named.sort()).toEqual([...TERMINAL_RAMP_STATUSES].sort())
})
