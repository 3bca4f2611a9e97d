import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { OBJECT, openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { EVENT_CLOCK_AHEAD_MS_MAX, EVENT_HOLD_MS, silentLog } from '../../kernel/index.ts'
import { webhookBacklog } from '../backlog.ts'
import { claimDueWebhooks, releaseWebhook } from './claim-webhooks.ts'
import { relayEvents } from './relay-events.ts'
import { undoClockJump } from './undo-clock-jump.ts'

const yard = useFixture(openWebhookFixture)
const warnings: unknown[] = []
beforeEach(async () => {
  await yard.reset()
  await yard.parts.db.updateTable('event_relay').set({ last_at: null }).execute()
  warnings.length = 0
})

const JUMP_MS = 2 * 3_600_000
const parts = () => ({ ...yard.parts, log: { ...silentLog, warn: (facts: unknown) => void warnings.push(facts) } })
const claim = () => claimDueWebhooks(yard.parts.db, 'one', yard.parts.clock.now(), { limit: 10 })

const inMs = (milliseconds: number) => new Date(yard.parts.clock.now().getTime() + milliseconds)

/** What a process does whose clock is ahead for a moment. */
async function ahead(work: () => Promise<unknown>, milliseconds = JUMP_MS): Promise<void> {
  yard.parts.clock.advance(milliseconds)
  try {
    await work()
  } finally {
    yard.parts.clock.advance(-milliseconds)
  }
}

test('a clock that was ahead once delays no event of another process, nor the events that it relayed', async () => {
  const receiver = await yard.receiver()
  const { id } = await yard.webhook(receiver.url)
  await yard.emit(7, 'transaction.updated')
  await ahead(() => relayEvents(yard.parts))
  await yard.emit(7, 'transaction.completed')
  await relayEvents(parts())
  const claimed = await claim()
  expect(claimed).toMatchObject([{ webhookId: id }])
  await releaseWebhook(yard.parts.db, claimed[0]!)
  await yard.deliver()
  expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual([
    'transaction.updated',
    'transaction.completed',
  ])
  expect(warnings).toEqual([{ seconds: JUMP_MS / 1_000 }])
})

test('deliveries that were put off are due without another event', async () => {
  await yard.webhook('http://127.0.0.1:9/')
  await yard.emit(7, 'transaction.updated')
  await ahead(() => relayEvents(yard.parts))
  expect(await claim()).toEqual([])
  await relayEvents(yard.parts)
  yard.parts.clock.advance(1_000)
  expect((await webhookBacklog(yard.parts.db, yard.parts.clock.now())).overdueSeconds).toBe(1)
  expect(await claim()).toHaveLength(1)
})

test('a clock that is a little ahead keeps deciding when deliveries are due, in their order', async () => {
  const { id } = await yard.webhook('http://127.0.0.1:9/')
  await yard.emit(7, 'a')
  await ahead(() => relayEvents(yard.parts), EVENT_CLOCK_AHEAD_MS_MAX)
  await yard.emit(7, 'b')
  await relayEvents(parts())
  await undoClockJump(parts())
  const at = inMs(EVENT_CLOCK_AHEAD_MS_MAX)
  expect(await yard.deliveries(id)).toMatchObject([{ nextAttemptAt: at }, { nextAttemptAt: at }])
  expect(warnings).toEqual([])
})

test('a held event that was put off is published', async () => {
  const { db, clock } = yard.parts
  const [id] = await yard.emit(7, 'a')
  const held = { organization_id: yard.organizationId, event_id: id!, object_type: OBJECT, object_id: 7 }
  await yard.emit(8, 'a')
  await ahead(async () => {
    const failure = { since: clock.now(), attempts: 1, next_attempt_at: inMs(EVENT_HOLD_MS.first), error: 'no' }
    await db
      .insertInto('held_events')
      .values({ ...held, ...failure })
      .execute()
    await relayEvents(yard.parts)
  })
  // Its round finds the jump, and the next one the event.
  await relayEvents(yard.parts)
  await relayEvents(yard.parts)
  expect((await webhookBacklog(db, clock.now())).held).toBe(0)
})

test('a planned repetition keeps its time, and a pause ends where it was set by a clock that was ahead', async () => {
  const { db, clock } = yard.parts
  const [tried, paused, pausing] = [
    await yard.webhook('http://127.0.0.1:9/'),
    await yard.webhook('http://127.0.0.1:9/'),
    await yard.webhook('http://127.0.0.1:9/'),
  ]
  await yard.emit(7, 'a', 'b')
  await ahead(() => relayEvents(yard.parts))
  const retryAt = inMs(JUMP_MS)
  const soon = inMs(60_000)
  const [repeated] = await yard.deliveries(tried.id)
  await db.updateTable('webhook_deliveries').set({ attempt_count: 1 }).where('id', '=', repeated!.id).execute()
  for (const [{ id }, at] of [
    [paused, retryAt],
    [pausing, soon],
  ] as const)
    await db.updateTable('webhooks').set({ paused_until: at }).where('id', '=', id).execute()
  await undoClockJump(yard.parts)
  expect(await yard.deliveries(tried.id)).toMatchObject([{ nextAttemptAt: retryAt }, { nextAttemptAt: clock.now() }])
  const rows = await db.selectFrom('webhooks').select(['due_at', 'paused_until']).orderBy('id').execute()
  expect(rows).toEqual([
    { due_at: clock.now(), paused_until: null },
    { due_at: clock.now(), paused_until: null },
    { due_at: soon, paused_until: soon },
  ])
})
