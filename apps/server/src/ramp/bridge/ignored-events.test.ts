// Also tested in: ramp/bridge/read-events.test.ts (which messages are ignored, and for what reason).

import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { deleteOldRows } from '../../database/index.ts'
import { createSealer, ManualClock, systemRandomSource } from '../../kernel/index.ts'
import {
  CHAIN_NOT_CONFIGURED,
  type IgnoredEventParts,
  ignoredEventRetention,
  NOT_APPLIED,
  recordIgnoredEvent,
} from './ignored-events.ts'

let database: TestDatabase
let parts: IgnoredEventParts & { readonly clock: ManualClock }
const lines: string[] = []
beforeAll(async () => {
  database = await testDatabase()
  parts = {
    db: database.db,
    clock: new ManualClock(new Date('2026-03-01T12:00:00Z')),
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    sealer: createSealer('5e'.repeat(32), 'ramp bridge events', systemRandomSource),
  }
})
afterAll(() => database?.close())
beforeEach(async () => {
  lines.length = 0
  await database.db.deleteFrom('ramp_bridge_ignored_events').execute()
})

const record = (id: string, body = '{"holder":"Secret Name"}', reason = 'unknown') =>
  recordIgnoredEvent(parts, { id, category: 'card_account', type: 'created', objectId: 'c1', reason, body })
const kept = () => database.db.selectFrom('ramp_bridge_ignored_events').selectAll().orderBy('event_id').execute()

test('the body of an ignored event is kept sealed, and stays out of the log', async () => {
  await record('event-1')
  const [row] = await kept()
  expect(row).toMatchObject({ category: 'card_account', type: 'created', object_id: 'c1', reason: 'unknown' })
  expect(row!.body.toString('latin1')).not.toContain('Secret Name')
  expect(parts.sealer.open(row!.body, 'bridge event event-1')).toContain('Secret Name')
  expect(lines.join('')).toContain('event-1')
  expect(lines.join('')).not.toContain('Secret Name')
})

test('an event that arrives again, or twice at once, is kept and logged once, as it first arrived', async () => {
  await Promise.all([record('event-1'), record('event-1')])
  await record('event-1', '{"changed":true}')
  const rows = await kept()
  expect(rows).toHaveLength(1)
  expect(parts.sealer.open(rows[0]!.body, 'bridge event event-1')).toContain('Secret Name')
  expect(lines).toHaveLength(1)
})

test('ignored events can be looked up for 90 days, and what waits for its effect stays', async () => {
  await record('waiting', '{}', CHAIN_NOT_CONFIGURED)
  await record('waiting too', '{}', NOT_APPLIED)
  await record('old')
  parts.clock.advance(1)
  await record('recent')
  parts.clock.advance(90 * 86_400_000 - 1)
  await deleteOldRows(parts, [ignoredEventRetention(parts)])
  expect((await kept()).map(({ event_id }) => event_id)).toEqual(['old', 'recent', 'waiting', 'waiting too'])
  parts.clock.advance(1)
  await deleteOldRows(parts, [ignoredEventRetention(parts)])
  expect((await kept()).map(({ event_id }) => event_id)).toEqual(['recent', 'waiting', 'waiting too'])
})
