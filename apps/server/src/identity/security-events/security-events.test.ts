// Also tested in: surfaces/http/records/record-refusal.test.ts (which refusals become events),
// surfaces/core/identity/audit/security-events.test.ts (what an organization reads).

import { expect, test } from 'vitest'
import { identityFixture } from '../../../testing/identity/identity-fixture.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { SECURITY_EVENTS_BUFFER_MAX, silentLog } from '../../kernel/index.ts'
import type { SecurityEventFacts } from './security-event.ts'
import { SecurityEventLog } from './security-event-log.ts'
import { SecurityEvents } from './security-events.ts'

const parts = useFixture(identityFixture)

const facts = (overrides: Partial<SecurityEventFacts> = {}): SecurityEventFacts => ({
  type: 'credential_refused',
  organizationId: null,
  actorType: null,
  actorId: null,
  address: '192.0.2.1',
  userAgent: 'curl',
  route: '/v1/wallets',
  method: 'GET',
  status: 401,
  code: 'INVALID_API_KEY',
  reason: 'unknown_key',
  requestId: 'req_1',
  ...overrides,
})

/** Events that only this test records, told apart by their reason. */
function recorder(reason: string) {
  const lines: string[] = []
  const log = new SecurityEventLog(async (text) => {
    lines.push(...text.split('\n').slice(0, -1))
  }, silentLog)
  const events = new SecurityEvents({ ...parts, lines: log })
  const stored = () =>
    parts.db.selectFrom('security_events').selectAll().where('reason', '=', reason).orderBy('id').execute()
  return {
    events,
    lines,
    stored,
    record: (own: Partial<SecurityEventFacts> = {}) => events.record(facts({ reason, ...own })),
  }
}

test('an event is stored and written as a line with the same id', async () => {
  const { events, lines, stored, record } = recorder('one')
  record()
  await events.flush()
  const [row, ...others] = await stored()
  expect(others).toEqual([])
  expect(row).toMatchObject({ type: 'credential_refused', count: 1, address: '192.0.2.1', request_id: 'req_1' })
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ id: row?.id, type: 'credential_refused', reason: 'one', count: 1 }),
  ])
})

test('a flood from one address writes five rows and one with the count of the others', async () => {
  const { events, lines, stored, record } = recorder('flood')
  for (let request = 0; request < 10_000; request += 1) record({ requestId: `req_${request}` })
  await events.flush({ all: true })
  const rows = await stored()
  expect(rows.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 9_995])
  expect(rows.at(-1)).toMatchObject({ address: '192.0.2.1', code: 'INVALID_API_KEY', request_id: null })
  expect(lines).toHaveLength(6)
})

test('a flood from 100,000 addresses writes a bounded number of rows, and none is uncounted', async () => {
  const { events, stored, record } = recorder('botnet')
  for (let address = 0; address < 100_000; address += 1)
    record({ address: `198.${address >> 16}.${(address >> 8) & 255}.${address & 255}` })
  await events.flush({ all: true })
  const rows = await stored()
  expect(rows.length).toBeLessThanOrEqual(600)
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(100_000)
})

test('merged events keep apart organizations and types, and lose the facts in which they differ', async () => {
  const { events, stored, record } = recorder('mixed')
  for (let request = 0; request < 7; request += 1) record()
  record({ userAgent: 'wget', actorType: 'key', actorId: 4 })
  for (let request = 0; request < 6; request += 1) record({ type: 'rate_limited', code: 'RATE_LIMIT_EXCEEDED' })
  await events.flush({ all: true })
  const merged = (await stored()).filter(({ request_id }) => request_id === null)
  expect(merged).toEqual([
    expect.objectContaining({
      type: 'credential_refused',
      count: 3,
      user_agent: null,
      actor_type: null,
      actor_id: null,
    }),
  ])
  expect((await stored()).filter(({ type }) => type === 'rate_limited').map(({ count }) => count)).toEqual([
    1, 1, 1, 1, 1, 1,
  ])
})

test('the next minute starts with single events again', async () => {
  const { events, stored, record } = recorder('minute')
  for (let request = 0; request < 8; request += 1) record()
  parts.clock.advance(60_000)
  record()
  await events.flush()
  expect((await stored()).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 3, 1])
})

test('a clock that is set back holds no merged event', async () => {
  const { events, stored, record } = recorder('set back')
  parts.clock.advance(86_400_000)
  for (let request = 0; request < 8; request += 1) record()
  parts.clock.advance(-86_400_000)
  record()
  await events.flush()
  expect((await stored()).map(({ count }) => count).sort()).toEqual([1, 1, 1, 1, 1, 1, 3])
})

test('events wait for an unavailable database, at most 10,000, and are written once', async () => {
  const { stored, record: _, lines } = recorder('outage')
  let isAvailable = false
  const db = new Proxy(parts.db, {
    get: (target, name) => {
      if (name === 'getExecutor' && !isAvailable) throw new Error('unavailable')
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const events = new SecurityEvents({ ...parts, db })
  events.record(facts({ reason: 'outage' }))
  await expect(events.flush()).rejects.toThrow('unavailable')
  isAvailable = true
  await events.flush()
  await events.flush()
  expect(await stored()).toHaveLength(1)
  expect(lines).toEqual([])
  isAvailable = false
  for (let minute = 0; minute < SECURITY_EVENTS_BUFFER_MAX / 300 + 5; minute += 1) {
    for (let network = 0; network < 300; network += 1)
      events.record(facts({ reason: 'long outage', address: `10.0.${minute}.${network % 250}` }), `${network}`)
    parts.clock.advance(60_000)
  }
  isAvailable = true
  await events.flush({ all: true })
  const kept = await parts.db.selectFrom('security_events').select('id').where('reason', '=', 'long outage').execute()
  expect(kept).toHaveLength(SECURITY_EVENTS_BUFFER_MAX)
})

test('a log that cannot be written loses no line of the table, and gets its lines later', async () => {
  const written: string[] = []
  let isFull = true
  const said = loggedLines()
  const log = new SecurityEventLog(async (text) => {
    if (isFull) throw new Error('no space left')
    written.push(text)
  }, said.log)
  const events = new SecurityEvents({ ...parts, lines: log })
  for (const requestId of ['req_a', 'req_b']) {
    events.record(facts({ reason: 'first', requestId }))
    await events.flush()
  }
  isFull = false
  events.record(facts({ reason: 'second', requestId: 'req_c' }))
  await events.flush()
  expect(written.join('').split('\n')[0], 'a line that was torn ends first').toBe('')
  expect(
    written
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).reason),
  ).toEqual(['first', 'first', 'second'])
  expect(said.lines).toMatchObject([
    { level: 50, msg: 'failed to write security events to their log' },
    { failures: 2, msg: 'security events are written to their log again' },
  ])
})

test('a disk that hangs keeps no event from the table, nor the process from stopping', async () => {
  const texts: string[] = []
  const disk = Promise.withResolvers<void>()
  const log = new SecurityEventLog((text) => {
    texts.push(text)
    return disk.promise
  }, silentLog)
  const events = new SecurityEvents({ ...parts, lines: log })
  for (const requestId of ['req_a', 'req_b', 'req_c']) {
    events.record(facts({ reason: 'hung', requestId }))
    await events.flush()
  }
  await events.flush({ all: true })
  const stored = await parts.db
    .selectFrom('security_events')
    .select('request_id')
    .where('reason', '=', 'hung')
    .execute()
  expect(stored).toHaveLength(3)
  disk.resolve()
  await log.written()
  const lines = texts.join('').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).requestId)).toEqual(['req_a', 'req_b', 'req_c'])
})
