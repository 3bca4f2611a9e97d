import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startRampFixture } from '../../../testing/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { rampBacklog } from './backlog.ts'
import { TERMINAL_RAMP_STATUSES } from './ramp-transaction-states.ts'

const fixture = useFixture(startRampFixture)

const backlog = () => rampBacklog(fixture.parts.db, fixture.clock.now())

test('unfinished transactions are counted until they end, with the age of the oldest', async () => {
  const client = await fixture.organization()
  await client.onramp()
  await client.simulate('onramp', { scenario: 'rejected' })
  fixture.clock.advance(1_000)
  expect(await backlog()).toEqual({ onramp: 1, offramp: 0, oldestSeconds: 1 })
  await fixture.settle()
  expect(await backlog()).toEqual({ onramp: 0, offramp: 0, oldestSeconds: 0 })
})

test('the index of unfinished transactions excludes exactly the terminal statuses of the state table', async () => {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where indexname = 'ramp_transactions_open'
  `.execute(fixture.parts.db)
  const named = [...rows[0]!.definition.matchAll(/'([a-z_]+)'/g)].map(([, status]) => status)
  expect(named.sort()).toEqual([...TERMINAL_RAMP_STATUSES].sort())
})
