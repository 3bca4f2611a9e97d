// Also tested in: record-inbound-deposits.test.ts (a deposit that cannot be recorded).
import { expect, test } from 'vitest'
import { lostLease } from '../../../testing/database/lost-lease.ts'
import { startRampFixture } from '../../../testing/ramp/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { Failure } from '../../kernel/index.ts'
import { retryDeferredDeposits } from './retry-deferred-deposits.ts'

const fixture = useFixture(() => startRampFixture('polygon'))
const { signal } = new AbortController()

test.each([
  ['cannot be read', () => Promise.reject(new Failure('CHAIN_UNAVAILABLE'))],
  ['is missing on its node', async () => undefined],
])('a deferred block that %s delays the others by one call, and has not failed', async (_name, missing) => {
  const { parts, clock } = fixture
  const since = clock.now()
  const row = { blockchain: 'polygon', since, attempts: 1, error: 'spoiled' }
  const dueAt = (block_number: number) => new Date(since.getTime() - 10 + block_number)
  await parts.db
    .insertInto('ramp_deferred_blocks')
    .values([1, 2].map((block_number) => ({ ...row, block_number, next_attempt_at: dueAt(block_number) })))
    .execute()
  const chain = parts.chains.get('polygon')!
  const partly = { ...chain, block: (number: number) => (number === 1 ? missing() : chain.block(number)) }
  await expect(retryDeferredDeposits(parts, partly, signal)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await retryDeferredDeposits(parts, partly, signal)
  const deferred = await parts.db.selectFrom('ramp_deferred_blocks').select(['block_number', 'attempts']).execute()
  expect(deferred).toEqual([{ block_number: 1, attempts: 1 }])
  clock.advance(30_000)
  await retryDeferredDeposits(parts, chain, signal)
  expect(await parts.db.selectFrom('ramp_deferred_blocks').selectAll().execute()).toEqual([])
})

test.each([
  ['is to stop', () => fixture.parts.db, AbortSignal.abort()],
  ['lost its lease', () => lostLease(fixture.parts.db), signal],
])('a process that %s leaves the block for the next one', async (_, db, until) => {
  const { parts, clock } = fixture
  const key = { blockchain: 'polygon', block_number: 1 }
  const row = { ...key, since: clock.now(), attempts: 1, next_attempt_at: clock.now(), error: 'spoiled' }
  await parts.db
    .insertInto('ramp_deferred_blocks')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await retryDeferredDeposits({ ...parts, db: db() }, parts.chains.get('polygon')!, until)
  expect(await parts.db.selectFrom('ramp_deferred_blocks').select('block_number').execute()).toHaveLength(1)
})
