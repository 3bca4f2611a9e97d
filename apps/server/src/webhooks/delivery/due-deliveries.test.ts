import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { WEBHOOK_LEASE_MS } from '../../kernel/index.ts'
import { claimDueWebhooks } from './claim-webhooks.ts'
import { dueDeliveries, triedDeliveries } from './due-deliveries.ts'
import { relayEvents } from './relay-events.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

/** A webhook with three due deliveries, claimed by a process. */
async function claimed() {
  const { id } = await yard.webhook('http://127.0.0.1:9/')
  await yard.emit(7, 'transaction.updated', 'transaction.completed', 'transaction.reversed')
  await relayEvents(yard.parts)
  return { id, claim: await claimAs('mine') }
}
const claimAs = async (lease: string) =>
  (await claimDueWebhooks(yard.parts.db, lease, yard.parts.clock.now(), { limit: 1 }))[0]!
const due = (claim: Awaited<ReturnType<typeof claimAs>>, taken: readonly number[] = [], limit = 10) =>
  dueDeliveries(yard.parts.db, claim, { at: yard.parts.clock.now(), taken, limit })

test('due deliveries are read oldest first, without those that are taken', async () => {
  const { claim } = await claimed()
  const all = await due(claim)
  expect(all.map(({ event }) => event)).toEqual([
    'transaction.updated',
    'transaction.completed',
    'transaction.reversed',
  ])
  expect(await due(claim, [all[0]!.id], 1)).toEqual([all[1]])
})

test('tried deliveries are those that failed before and are due, the most attempts first', async () => {
  const { claim } = await claimed()
  const [first, second, third] = await due(claim)
  const set = (id: number, attempt_count: number, inMs = 0) =>
    yard.parts.db
      .updateTable('webhook_deliveries')
      .set({ attempt_count, next_attempt_at: new Date(yard.parts.clock.now().getTime() + inMs) })
      .where('id', '=', id)
      .execute()
  const tried = async () => {
    const read = { at: yard.parts.clock.now(), taken: [], limit: 10 }
    return (await triedDeliveries(yard.parts.db, claim, read)).map(({ id }) => id)
  }
  expect(await tried()).toEqual([])
  await set(second!.id, 1)
  await set(third!.id, 3)
  expect(await tried()).toEqual([third!.id, second!.id])
  await set(third!.id, 3, 1)
  await set(first!.id, 2)
  expect(await tried()).toEqual([first!.id, second!.id])
})

test('a process whose lease was taken over reads nothing more', async () => {
  const { claim } = await claimed()
  yard.parts.clock.advance(WEBHOOK_LEASE_MS)
  const other = await claimAs('other')
  expect(await due(claim)).toEqual([])
  expect(await due(other)).toHaveLength(3)
})

test('a webhook whose organization is deleted while it is served has nothing due', async () => {
  const { claim } = await claimed()
  await yard.parts.db.updateTable('organizations').set({ deleted_at: yard.parts.clock.now() }).execute()
  expect(await due(claim)).toEqual([])
  expect(await triedDeliveries(yard.parts.db, claim, { at: yard.parts.clock.now(), taken: [], limit: 1 })).toEqual([])
})

test('a webhook that was disabled or deleted while it is served has nothing due', async () => {
  const { id, claim } = await claimed()
  for (const column of ['disabled_at', 'deleted_at']) {
    const set = (value: Date | null) =>
      yard.parts.db
        .updateTable('webhooks')
        .set({ [column]: value })
        .where('id', '=', id)
        .execute()
    await set(yard.parts.clock.now())
    expect(await due(claim), column).toEqual([])
    await set(null)
  }
})
