// Also tested in: ramp/personal/erase-expired.test.ts (after the retention), main/compose/organization-erasure.test.ts (whole
// organizations).

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overlap } from '../../../testing/database/overlap.ts'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { transferEvent } from '../../../testing/ramp/transfer-event.ts'
import { inTransaction, type Tx } from '../../database/index.ts'
import { ERASURE_BATCH } from '../../kernel/index.ts'
import { findAccount } from '../accounts/account.ts'
import { findRecipient } from '../customers/customer.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'
import { simulateKyb } from '../onboarding/check-kyb.ts'
import { startKyb } from '../onboarding/start-kyb.ts'
import { hostedForm } from '../sandbox/hosted-form.ts'
import { eraseRecipient, RAMP_ERASURE } from './erase-customers.ts'

let fixture: RampDatabase
let client: RampClient
beforeAll(async () => {
  fixture = await openRampDatabase()
  client = await fixture.organization()
})
afterAll(() => fixture?.close())

const erase = (customerId: number, organizationId = client.organizationId) =>
  eraseRecipient(fixture.parts, { organizationId, customerId })

test('an erased recipient has no personal or bank data, in no column and no event, and is archived', async () => {
  const { organizationId } = client
  const { customerId } = await client.recipient({ name: 'Erika Mustermann' })
  const { accountId } = await client.offramp(customerId)
  const erased = await erase(customerId)
  expect(erased).toEqual({ customerId, erasedAt: fixture.clock.now() })
  expect(await findRecipient(fixture.parts, organizationId, customerId)).toMatchObject({
    name: '[erased]',
    externalId: null,
    address: null,
    kybLink: '',
    archivedAt: erased.erasedAt,
    erasedAt: erased.erasedAt,
  })
  expect(await findAccount(fixture.parts, organizationId, accountId, 'offramp')).toMatchObject({
    status: 'archived',
    bankName: '',
    routingNumber: '',
    accountNumber: '',
    accountHolder: null,
  })
  const row = await fixture.parts.db
    .selectFrom('ramp_accounts')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  expect(row.account_number.length).toBe(0)
  const events = await emittedEvents(fixture.parts.db, organizationId, 'customer')
  expect(events.filter(({ data }) => data.customer_id === customerId)).toEqual([
    { event: 'customer.approved', data: { customer_id: customerId, name: null } },
  ])
  expect(await erase(customerId)).toEqual(erased)
})

test('the data of other recipients and the organization itself stays', async () => {
  const other = await client.recipient({ name: 'Otto Other' })
  const { customerId } = await client.recipient({ name: 'Erika Mustermann' })
  await erase(customerId)
  expect(await findRecipient(fixture.parts, client.organizationId, other.customerId)).toEqual(other)
})

test('a recipient with a payment under way is not erased, and nothing changes', async () => {
  const { organizationId } = client
  const { customerId } = await client.recipient({ name: 'Petra Pending' })
  const { providerReference } = await client.onramp(customerId)
  const event = transferEvent({
    accountReference: providerReference,
    direction: 'onramp',
    subject: 'in-pending',
    sequence: 1,
    status: 'pending',
  })
  await inTransaction(fixture.parts.db, (tx) => applyProviderEvent(fixture.parts, tx, event))
  await expect(erase(customerId)).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'payments_under_way', rampTransactionsUnderWay: 1 },
  })
  expect(await findRecipient(fixture.parts, organizationId, customerId)).toMatchObject({
    name: 'Petra Pending',
    archivedAt: null,
  })
})

test.each(['recipient', 'organization'] as const)(
  'an event of a payment in flight does not keep the name of a recipient that is erased with its %s',
  async (kind) => {
    const { parts, clock } = fixture
    const { db } = parts
    const own = await fixture.organization()
    const { organizationId } = own
    const { customerId } = await own.recipient({ name: 'Frieda Flight' })
    const { providerReference: accountReference } = await own.onramp(customerId)
    const payment = { accountReference, direction: 'onramp', subject: `in-flight-${kind}` } as const
    const report = (tx: Tx, sequence: number, status: 'completed' | 'reversed') =>
      applyProviderEvent(parts, tx, transferEvent({ ...payment, sequence, status }))
    await inTransaction(db, (tx) => report(tx, 1, 'completed'))

    const { transact, outcome } = overlap<unknown>(db, () =>
      kind === 'recipient'
        ? erase(customerId, organizationId)
        : inTransaction(db, (tx) => RAMP_ERASURE.erase(tx, { organizationId, at: clock.now() })),
    )
    await transact((tx) => report(tx, 2, 'reversed'))
    await outcome()
    const left = db.selectFrom('outbox').select(['event', 'personal']).where('organization_id', '=', organizationId)
    const events = await left.where('object_type', '=', 'ramp_transaction').execute()
    expect(events.map(({ event }) => event)).toContain('transaction.reversed')
    expect(events.filter(({ personal }) => personal !== null)).toEqual([])
  },
)

test('a payment that begins during the erasure of its organization holds it up like one under way', async () => {
  const { parts, clock } = fixture
  const own = await fixture.organization()
  const { organizationId } = own
  const { providerReference: accountReference } = await own.onramp()
  const begins = {
    accountReference,
    direction: 'onramp',
    subject: 'in-begins',
    sequence: 1,
    status: 'pending',
  } as const
  const { transact, outcome } = overlap(parts.db, () =>
    inTransaction(parts.db, (tx) => RAMP_ERASURE.erase(tx, { organizationId, at: clock.now() })).catch(
      (error: unknown) => error,
    ),
  )
  await transact((tx) => applyProviderEvent(parts, tx, transferEvent(begins)))
  expect(await outcome()).toMatchObject({ code: 'CONFLICT', details: { rampTransactionsUnderWay: 1 } })
})

test('an organization is erased in batches of its customers, and a payment of any of them holds each up', async () => {
  const { parts, clock } = fixture
  const own = await fixture.organization()
  const { organizationId } = own
  const more = 3
  await sql`
    insert into ramp_customers (organization_id, kind, name, type, kyb_reference, created_at)
    select ${organizationId}, 'recipient', 'Rita ' || n, 'business', 'batch-' || n, ${clock.now()}
    from generate_series(1, ${ERASURE_BATCH - 2 + more}::int) n
  `.execute(parts.db)
  const { customerId } = await own.recipient()
  const { providerReference: accountReference } = await own.onramp(customerId)
  const eraseBatch = () => inTransaction(parts.db, (tx) => RAMP_ERASURE.erase(tx, { organizationId, at: clock.now() }))
  expect(await eraseBatch()).toBe(ERASURE_BATCH)
  const payment = { accountReference, direction: 'onramp', subject: 'in-batches' } as const
  const report = (sequence: number, status: 'pending' | 'completed') =>
    inTransaction(parts.db, (tx) => applyProviderEvent(parts, tx, transferEvent({ ...payment, sequence, status })))
  await report(1, 'pending')
  await expect(eraseBatch()).rejects.toMatchObject({ details: { reason: 'payments_under_way' } })
  await report(2, 'completed')
  expect([await eraseBatch(), await eraseBatch()]).toEqual([more, 0])
})

test('a recipient of another organization does not exist', async () => {
  const { customerId } = await client.recipient()
  const stranger = await fixture.organization()
  await expect(erase(customerId, stranger.organizationId)).rejects.toMatchObject({ code: 'RECIPIENT_NOT_FOUND' })
})

test('the answers of every attempt of an organization are erased, and those of others stay', async () => {
  const form = hostedForm(fixture.parts, fixture.provider)
  const answers = { legalName: 'Basalt', registrationNumber: 'HRB 1', country: 'DE', email: 'kyb@basalt.example' }
  async function declinedTwice() {
    const { organizationId } = await fixture.organization({ verified: false })
    for (const _attempt of [1, 2]) {
      const { kybLink } = await startKyb(fixture.parts, { organizationId })
      await form.submit(kybLink.split('/').at(-1)!, answers)
      await simulateKyb(fixture.parts, { organizationId, recipientId: null, status: 'declined' })
    }
    return organizationId
  }
  const stored = async (organizationId: number) => {
    const rows = fixture.parts.db.selectFrom('ramp_sandbox_applications').select('reference')
    const ofOne = rows.where('reference', 'like', `kyb-organization-${organizationId}-%`)
    return (await ofOne.where('answers', 'is not', null).execute()).length
  }
  const [erased, other] = [await declinedTwice(), await declinedTwice()]
  expect([await stored(erased), await stored(other)]).toEqual([2, 2])
  const at = fixture.clock.now()
  await inTransaction(fixture.parts.db, (tx) => RAMP_ERASURE.erase(tx, { organizationId: erased, at }))
  expect([await stored(erased), await stored(other)]).toEqual([0, 2])
})
