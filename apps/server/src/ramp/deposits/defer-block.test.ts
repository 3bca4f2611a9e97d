// Also tested in: record-inbound-deposits.test.ts (a block is deferred and recorded again).

import { expect, test } from 'vitest'
import { lostLease } from '../../../testing/database/lost-lease.ts'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { LeaseLostError } from '../../database/index.ts'
import { ManualClock, silentLog } from '../../kernel/index.ts'
import { deferBlock } from './defer-block.ts'

const database = useFixture(testDatabase)
const at = new Date('2026-03-01T12:00:00Z')

test('each failure of a block doubles its delay, up to an hour, and its age counts from the first', async () => {
  const { db } = database
  const clock = new ManualClock(at)
  const delays: number[] = []
  for (let failures = 0; failures < 9; failures++) {
    await deferBlock({ db, clock, log: silentLog }, 'base', 7, new Error('spoiled'))
    const { next_attempt_at: next } = await db.selectFrom('ramp_deferred_blocks').selectAll().executeTakeFirstOrThrow()
    delays.push((next.getTime() - clock.now().getTime()) / 1_000)
    clock.advance(1_000)
  }
  expect(delays).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
  expect(await db.selectFrom('ramp_deferred_blocks').select(['since', 'attempts']).execute()).toEqual([
    { since: at, attempts: 9 },
  ])
})

test('a process that lost its lease defers no block', async () => {
  const db = lostLease(database.db)
  const deferring = deferBlock({ db, clock: new ManualClock(at), log: silentLog }, 'base', 8, new Error('spoiled'))
  await expect(deferring).rejects.toThrow(LeaseLostError)
  const rows = await database.db.selectFrom('ramp_deferred_blocks').select('block_number').execute()
  expect(rows.map(({ block_number }) => block_number)).not.toContain(8)
})
