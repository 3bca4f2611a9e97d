// Also tested in: ramp/events/event-order.test.ts (events in any order, doubled or lost), ramp/bridge/read-events.test.ts
// (the signature of a real partner's messages).

import { expect, test } from 'vitest'
import { overlap } from '../../../testing/database/overlap.ts'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { transferEvent } from '../../../testing/ramp/transfer-event.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction, type RampStatus } from '../../database/index.ts'
import type { ProviderEvent } from '../provider/port.ts'
import { readMessage, writeMessage } from '../sandbox/messages.ts'
import { setApplicationStatus } from '../sandbox/onboarding.ts'
import { applyProviderEvent, applyProviderMessage } from './apply-provider-event.ts'

const fixture = useFixture(openRampDatabase)

const apply = (event: ProviderEvent) =>
  inTransaction(fixture.parts.db, (tx) => applyProviderEvent(fixture.parts, tx, event))
const recorded = async (subject: string) =>
  (
    await fixture.parts.db
      .selectFrom('ramp_provider_events')
      .select(['sequence', 'outcome'])
      .where('subject', '=', subject)
      .orderBy('sequence')
      .execute()
  ).map(({ sequence, outcome }) => `${sequence} ${outcome}`)

/** The events of a new organization's payment, one per status. */
async function paymentEvents(subject: string, statuses: readonly RampStatus[]) {
  const client = await fixture.organization()
  const { providerReference: accountReference } = await client.onramp()
  const payment = { direction: 'onramp', accountReference, subject } as const
  const events = statuses.map((status, place) => transferEvent({ ...payment, sequence: place + 1, status }))
  return { client, events }
}

test('every event is recorded with its outcome, and a second copy has no effect', async () => {
  const { client, events } = await paymentEvents('recorded', ['pending', 'rejected', 'processing'])
  const [first, last, contradiction] = events
  expect(await apply(last!)).toBe('applied')
  expect(await apply(first!)).toBe('overtaken')
  expect(await apply(contradiction!)).toBe('contradicts')
  const before = await client.transactions()
  for (const event of events) expect(await apply(event)).toBe('duplicate')
  expect(await client.transactions()).toEqual(before)
  expect(await recorded('recorded')).toEqual(['1 overtaken', '2 applied', '3 contradicts'])
})

test('another event with the sequence of one that was applied is overtaken, whatever it says', async () => {
  const { client, events } = await paymentEvents('same sequence', ['pending'])
  const [first] = events
  expect(await apply(first!)).toBe('applied')
  const before = await client.transactions()
  expect(await apply({ ...first!, id: 'of the same sequence', status: 'processing' } as ProviderEvent)).toBe(
    'overtaken',
  )
  expect(await client.transactions()).toEqual(before)
})

test('an event about an unknown object is recorded as unknown', async () => {
  expect(await apply({ kind: 'onboarding', id: 'o:1', subject: 'not-ours', sequence: 1, status: 'approved' })).toBe(
    'unknown',
  )
  expect(await recorded('not-ours')).toEqual(['1 unknown'])
})

test('an event that fails leaves no record, and takes effect when it arrives again', async () => {
  const { client, events } = await paymentEvents('interrupted', ['pending'])
  const interrupted = inTransaction(fixture.parts.db, async (tx) => {
    await applyProviderEvent(fixture.parts, tx, events[0]!)
    throw new Error('the process dies')
  })
  await expect(interrupted).rejects.toThrow('dies')
  expect(await client.transactions()).toEqual([])
  expect(await apply(events[0]!)).toBe('applied')
  expect(await client.transactions()).toHaveLength(1)
})

test('two processes apply events of one subject one after the other', async () => {
  const way = ['pending', 'processing', 'in_progress', 'broadcasted', 'completed'] as const
  const { client, events } = await paymentEvents('concurrent', way)
  await Promise.all([...events, ...events].reverse().map(apply))
  expect(await client.transactions()).toMatchObject([{ status: 'completed' }])
  const emitted = await emittedEvents(fixture.parts.db, client.organizationId, 'ramp_transaction')
  expect(emitted.map(({ event, data }) => `${event} ${data.status}`)).toEqual([
    ...way.map((status) => `transaction.updated ${status}`),
    'transaction.completed completed',
  ])
  await expectValidFiatLedger(fixture.parts)
})

test('the second event of a subject waits for the first, although there is no row to lock yet', async () => {
  const { client, events } = await paymentEvents('overlapping', ['pending', 'processing'])
  const second = overlap(fixture.parts.db, () => apply(events[1]!))
  const first = await second.transact((tx) => applyProviderEvent(fixture.parts, tx, events[0]!))
  expect([first, await second.outcome()]).toEqual(['applied', 'applied'])
  expect(await client.transactions()).toMatchObject([{ status: 'processing' }])
})

test('a message is applied once, only with its signature, and only within five minutes', async () => {
  const client = await fixture.organization()
  const { customerId, kybReference } = await client.recipient({ approved: false })
  const { db } = fixture.parts
  const event = await inTransaction(db, (tx) =>
    setApplicationStatus(tx, fixture.provider, { reference: kybReference, status: 'approved' }),
  )
  const message = writeMessage(fixture.provider, event)
  expect(readMessage(fixture.provider, message)).toEqual(event)
  const forged = [
    { ...message, headers: {} },
    { ...message, body: Buffer.from(`${message.body} `) },
  ]
  for (const one of [...forged, { ...message, body: Buffer.from('{}') }])
    await expect(applyProviderMessage(fixture.parts, one)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await applyProviderMessage(fixture.parts, message)).toBe(1)
  expect(await applyProviderMessage(fixture.parts, message)).toBe(1)
  const emitted = await emittedEvents(db, client.organizationId, 'customer')
  expect(emitted.filter(({ data }) => data.customer_id === customerId)).toEqual([
    { event: 'customer.approved', data: { customer_id: customerId, name: 'Ada Lovelace' } },
  ])
  fixture.clock.advance(10 * 60_000)
  await expect(applyProviderMessage(fixture.parts, message)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})
