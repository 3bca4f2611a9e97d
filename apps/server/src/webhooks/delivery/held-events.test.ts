// Order and positions of events that nothing is wrong with: events/list-events.test.ts.
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { emit, inTransaction } from '../../database/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { BREAK_OBJECT } from '../../ledger/index.ts'
import { webhookBacklog } from '../backlog.ts'
import { listEvents } from '../events/list-events.ts'
import { relayEvents } from './relay-events.ts'

const yard = useFixture(openWebhookFixture)
const logged: number[] = []
beforeEach(async () => {
  await yard.reset()
  logged.length = 0
})

const note = (facts: unknown) => void logged.push((facts as { eventId: number }).eventId)
const parts = () => ({ ...yard.parts, log: { ...silentLog, error: note, info: note } })

async function published(): Promise<number[]> {
  while ((await relayEvents(parts())) > 0);
  const scope = { organizationId: yard.organizationId, walletProfileId: null }
  return (await listEvents(yard.parts, scope, { after: null, limit: 100 })).events.map(({ id }) => id)
}

async function newWallet(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with profile as (
      insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
      values (${yard.organizationId}, 'first', '{polygon}', 120, now()) returning organization_id, id
    )
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
    select organization_id, id, 'polygon', '0xa', now() from profile returning id
  `.execute(yard.parts.db)
  return rows[0]!.id
}

const backlog = () => webhookBacklog(yard.parts.db, yard.parts.clock.now())
const held = async () => (await backlog()).held
const eventSeconds = async () => (await backlog()).eventSeconds

test('an event that cannot be published waits, with the later ones of its object, and no other does', async () => {
  const before = await yard.emit(1, 'a')
  const bad = await yard.emit(2, 'a')
  const others = await yard.emit(3, 'a', 'b')
  const repair = await breakRows(yard.parts.db, {
    table: 'outbox',
    when: `new.relayed_at is not null and new.id = ${bad}`,
  })
  expect(await published()).toEqual([...before, ...others])
  const later = await yard.emit(2, 'b')
  const more = await yard.emit(1, 'b')
  yard.parts.clock.advance(20_000)
  expect(await eventSeconds()).toBe(20)
  expect(await published()).toEqual([...before, ...others, ...more])
  expect(await held()).toBe(1)
  // The relay works: what is held has an alert of its own.
  expect(await eventSeconds()).toBe(0)

  yard.parts.clock.advance(3_600_000)
  await published()
  expect(logged, 'logged once').toEqual(bad)
  await repair()
  yard.parts.clock.advance(3_600_000)
  expect(await published()).toEqual([...before, ...others, ...more, ...bad, ...later])
  expect(await held()).toBe(0)
  expect(logged, 'and when it is published').toEqual([...bad, ...bad])
})

test('a delivery that cannot be written holds its event, and the other webhooks and events are served', async () => {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  const [bad, good] = [await yard.emit(1, 'a'), await yard.emit(2, 'a')]
  const repair = await breakRows(yard.parts.db, { table: 'webhook_deliveries', when: `new.event_id = ${bad}` })
  expect(await published()).toEqual(good)
  await yard.deliver()
  expect((await yard.deliveries(webhook.id)).map(({ messageId }) => messageId)).toEqual([`evt_${good}`])
  await repair()
  yard.parts.clock.advance(3_600_000)
  await yard.deliver()
  expect((await yard.deliveries(webhook.id)).map(({ messageId }) => messageId)).toEqual([`evt_${good}`, `evt_${bad}`])
})

test('an event whose payload cannot be built holds up no other event of its type', async () => {
  const { organizationId } = yard
  const at = yard.parts.clock.now()
  const amounts = { tokenAddress: '0xUSDC', amountBaseUnits: '5' }
  const broken = { organizationId, event: 'break.opened', objectType: BREAK_OBJECT, objectId: 7, at }
  const [bad] = await inTransaction(yard.parts.db, (tx) =>
    emit(tx, [{ ...broken, data: { breakId: 7, walletId: 'none', ...amounts } }]),
  )
  const walletId = await newWallet()
  const [good] = await inTransaction(yard.parts.db, (tx) =>
    emit(tx, [{ ...broken, objectId: 8, data: { breakId: 8, walletId, ...amounts } }]),
  )
  expect(await published()).toEqual([good])
  expect(await held()).toBe(1)
  expect(logged.filter((id) => id === bad)).toHaveLength(1)
})

test('hundreds of events with a bad one are published in one round, in their order', async () => {
  const ids: number[] = []
  for (let object = 1; object <= 200; object += 1) ids.push(...(await yard.emit(object, 'a')))
  const bad = ids[123]!
  const repair = await breakRows(yard.parts.db, {
    table: 'outbox',
    when: `new.relayed_at is not null and new.id = ${bad}`,
  })
  expect(await relayEvents(parts())).toBe(199)
  const scope = { organizationId: yard.organizationId, walletProfileId: null }
  const page = await listEvents(yard.parts, scope, { after: ids[90]!, limit: 100 })
  expect(page.events.map(({ id }) => id)).toEqual(
    ids
      .slice(91)
      .filter((id) => id !== bad)
      .slice(0, 100),
  )
  await repair()
})
