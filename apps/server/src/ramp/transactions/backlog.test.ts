import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startRampFixture } from '../../../testing/ramp/ramp-fixture.ts'
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
  expect(await backlog()).toEqual({ onramp: 1, offramp: 0, oldestSeconds: 1, depositSeconds: 0 })
  await fixture.settle()
  expect(await backlog()).toEqual({ onramp: 0, offramp: 0, oldestSeconds: 0, depositSeconds: 0 })
})

test('the age of the oldest deposit that waits counts, recorded or not', async () => {
  const { db, clock } = fixture.parts
  const now = clock.now()
  const client = await fixture.organization()
  const { accountId } = await client.offramp()
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
  const deposit = { organization_id: client.organizationId, account_id: accountId, blockchain: 'base', position: 0 }
  const token = { token_address: '0x', amount: 1n, block_number: 1 }
  const rows = [
    { tx_hash: '0x1', detected_at: ago(900), next_attempt_at: null },
    { tx_hash: '0x2', detected_at: ago(60), next_attempt_at: now },
  ]
  await db
    .insertInto('ramp_deposits')
    .values(rows.map((row) => ({ ...deposit, ...token, ...row })))
    .execute()
  expect(await backlog()).toMatchObject({ depositSeconds: 60 })
  const block = { blockchain: 'base', block_number: 7, attempts: 1, error: 'spoiled' }
  await db
    .insertInto('ramp_deferred_blocks')
    .values({ ...block, since: ago(120), next_attempt_at: now })
    .execute()
  expect(await backlog()).toMatchObject({ depositSeconds: 120 })
})

test('the index of unfinished transactions excludes exactly the terminal statuses of the state table', async () => {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where indexname = 'ramp_transactions_open'
  `.execute(fixture.parts.db)
  const named = [...rows[0]!.definition.matchAll(/'([a-z_]+)'/g)].map(([, status]) => status)
  expect(named.sort()).toEqual([...TERMINAL_RAMP_STATUSES].sort())
})
