// Also tested in: webhooks/lifecycle/advance-deliveries.test.ts (which deliveries fail).

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { OBJECT, openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { WEBHOOK_STOP_BATCH } from '../../kernel/index.ts'
import { listDeliveries } from '../delivery/list-deliveries.ts'
import { relayEvents } from '../delivery/relay-events.ts'
import { failStoppedDeliveries } from './fail-stopped-deliveries.ts'
import { getWebhook } from './read-webhooks.ts'
import { deleteWebhook, updateWebhook } from './update-webhook.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const MANY = 2 * WEBHOOK_STOP_BATCH + 5
const named = (webhookId: number) => ({ organizationId: yard.organizationId, webhookId })
const set = (id: number, enabled: boolean) => updateWebhook(yard.parts, named(id), { enabled })
const failStopped = () => failStoppedDeliveries(yard.parts, new AbortController().signal)

/** A webhook with so many pending deliveries, of events that are gone. */
async function withPending(count: number, url = 'http://127.0.0.1:9/'): Promise<number> {
  const { id } = await yard.webhook(url)
  const at = yard.parts.clock.now()
  await sql`
    insert into webhook_deliveries (organization_id, webhook_id, event_id, event, object_type, object_id, status,
      next_attempt_at, created_at)
    select ${yard.organizationId}, ${id}, -n, 'transaction.updated', ${OBJECT}, n, 'pending', ${at}, ${at}
    from generate_series(1, ${count}::int) n
  `.execute(yard.parts.db)
  return id
}

/** How many deliveries of a webhook the table has in each status. */
async function stored(id: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from webhook_deliveries where webhook_id = ${id} group by status
  `.execute(yard.parts.db)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

async function shown(id: number, status?: 'pending' | 'failed') {
  const page = { limit: 1, offset: 0, ...(status && { status }) }
  return await listDeliveries(yard.parts.db, named(id), page)
}

test('a stop changes the row of the webhook alone, and readers see at once what becomes of its deliveries', async () => {
  const id = await withPending(MANY)
  expect((await shown(id, 'pending')).total).toBe(MANY)
  await inTransaction(yard.parts.db, async (tx) => {
    await sql`select from webhook_deliveries where webhook_id = ${id} for update`.execute(tx)
    await set(id, false)
  })
  expect(await stored(id)).toEqual({ pending: MANY })
  expect(await shown(id)).toMatchObject({ total: MANY, deliveries: [{ status: 'failed' }] })
  expect((await shown(id)).deliveries[0]).not.toHaveProperty('nextAttemptAt')
  expect((await shown(id, 'failed')).total).toBe(MANY)
  expect((await shown(id, 'pending')).total).toBe(0)
})

test('what was pending fails in batches, of disabled and deleted webhooks, and of no other', async () => {
  const [off, gone, other] = [await withPending(MANY), await withPending(3), await withPending(2)]
  await set(off, false)
  await deleteWebhook(yard.parts, named(gone))
  const most = { statement: 0 }
  const db = yard.parts.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      most.statement = Math.max(most.statement, Number(result.numAffectedRows ?? 0))
      return result
    },
  })
  expect(await failStoppedDeliveries({ ...yard.parts, db }, new AbortController().signal)).toBe(MANY + 3)
  expect(most.statement).toBe(WEBHOOK_STOP_BATCH)
  expect([await stored(off), await stored(gone), await stored(other)]).toEqual([
    { failed: MANY },
    { failed: 3 },
    { pending: 2 },
  ])
  expect(await failStopped()).toBe(0)
  const left = yard.parts.db.selectFrom('webhooks').select('id').where('stopped_at', 'is not', null)
  expect(await left.execute()).toEqual([])
})

test('a webhook that is enabled again gets new events only: what was pending at the stop has failed', async () => {
  const receiver = await yard.receiver()
  const { id } = await yard.webhook(receiver.url)
  await yard.emit(1, 'transaction.updated', 'transaction.completed')
  await relayEvents(yard.parts)
  await set(id, false)
  await set(id, true)
  expect(await stored(id)).toEqual({ failed: 2 })
  await yard.emit(2, 'transaction.updated')
  await relayEvents(yard.parts)
  expect(await failStopped()).toBe(0)
  await yard.deliver()
  expect(receiver.received.map(({ body }) => JSON.parse(body).data)).toEqual([{ transaction_id: 2 }])
  expect(await stored(id)).toEqual({ failed: 2, delivered: 1 })
})

test('a webhook is not enabled while more is left than one batch, and is afterwards', async () => {
  const id = await withPending(WEBHOOK_STOP_BATCH + 1)
  await set(id, false)
  const refusal = { code: 'CONFLICT', details: { reason: 'still_stopping' } }
  await expect(set(id, true)).rejects.toMatchObject(refusal)
  expect(await stored(id)).toEqual({ pending: WEBHOOK_STOP_BATCH + 1 })
  expect((await getWebhook(yard.parts.db, named(id))).status).toBe('disabled')
  await failStopped()
  expect((await set(id, true)).status).toBe('active')
  expect(await stored(id)).toEqual({ failed: WEBHOOK_STOP_BATCH + 1 })
})

test('what is pending at a webhook that an earlier version enabled again stays', async () => {
  const id = await withPending(3)
  await set(id, false)
  await yard.parts.db.updateTable('webhooks').set({ disabled_at: null }).where('id', '=', id).execute()
  expect(await failStopped()).toBe(0)
  expect(await stored(id)).toEqual({ pending: 3 })
})
