import { beforeEach, expect, test } from 'vitest'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import { RAMP_KEY, type RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { transferEvent } from '../../../testing/ramp/transfer-event.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { systemRandomSource } from '../../kernel/index.ts'
import { applyOnboardingEvent } from '../events/apply-onboarding-event.ts'
import { applyTransferEvent } from '../events/apply-transfer-event.ts'
import { eraseRecipient } from '../personal/erase-customers.ts'
import { createFieldSealer } from '../sealing/sealed-fields.ts'
import type { Customer } from './customer.ts'
import { getRecipient, listRecipients } from './list-recipients.ts'
import { searchRecipients } from './search-recipients.ts'
import { archiveRecipient, updateRecipient } from './update-recipient.ts'

const fixture = useFixture(openRampDatabase)
let client: RampClient
let damaged: Customer
beforeEach(async () => {
  client = await fixture.organization()
  await client.recipient({ name: 'Grace Hopper' })
  damaged = await client.recipient({ approved: false })
  await damage(damaged)
})

type Column = 'sealed_name' | 'sealed_external_id' | 'sealed_address' | 'sealed_kyb_link'

async function damage({ customerId }: Customer, ...columns: Column[]): Promise<void> {
  const bytes = Object.fromEntries(
    (columns.length > 0
      ? columns
      : (['sealed_name', 'sealed_external_id', 'sealed_address', 'sealed_kyb_link'] as const)
    ).map((column) => [column, Buffer.alloc(40, 1)]),
  )
  await fixture.parts.db.updateTable('ramp_customers').set(bytes).where('id', '=', customerId).execute()
}
const named = () => ({ organizationId: client.organizationId, customerId: damaged.customerId })
const page = { limit: 10, offset: 0 }

test('a damaged recipient hides no other, and shows which fields do not open', async () => {
  const { recipients } = await listRecipients(fixture.parts, client.organizationId, {}, page)
  expect(recipients).toMatchObject([
    {
      name: '[unreadable]',
      externalId: '[unreadable]',
      address: null,
      kybLink: '',
      unreadable: ['name', 'externalId', 'address', 'kybLink'],
    },
    { name: 'Grace Hopper' },
  ])
  expect(recipients[1]).not.toHaveProperty('unreadable')
})

test('others are found by name next to it, and it is found by its id', async () => {
  const { organizationId } = client
  const find = async (text: string) => (await searchRecipients(fixture.parts, organizationId, text, 10)).recipients
  expect(await find('Grace')).toMatchObject([{ name: 'Grace Hopper' }])
  expect(await find(String(damaged.customerId))).toMatchObject([{ name: '[unreadable]' }])
})

test('a plain-text value that somebody else wrote is not shown, and hides no other recipient', async () => {
  const { db } = fixture.parts
  const reports: string[] = []
  const fields = createFieldSealer({
    encryptionKeys: RAMP_KEY,
    indexKey: RAMP_KEY,
    random: systemRandomSource,
    acceptsClear: false,
    unreadable: { report: (label) => reports.push(label) },
  })
  await db
    .updateTable('ramp_customers')
    .set({ sealed_name: null, name: 'Mallory' })
    .where('id', '=', damaged.customerId)
    .execute()
  const { recipients } = await listRecipients({ db, fields }, client.organizationId, {}, page)
  expect(recipients.map(({ name }) => name)).toEqual(['[unreadable]', 'Grace Hopper'])
  expect(reports).toContain(`sealed_name ${client.organizationId}/${damaged.customerId}`)
})

test('an update replaces what it names, and leaves the rest as it is stored', async () => {
  const { db } = fixture.parts
  const before = await db
    .selectFrom('ramp_customers')
    .selectAll()
    .where('id', '=', damaged.customerId)
    .executeTakeFirstOrThrow()
  const updated = await updateRecipient(fixture.parts, named(), { name: 'Ada King' })
  expect(updated).toMatchObject({ name: 'Ada King', unreadable: ['externalId', 'address', 'kybLink'] })
  const after = await db
    .selectFrom('ramp_customers')
    .selectAll()
    .where('id', '=', damaged.customerId)
    .executeTakeFirstOrThrow()
  expect(after).toEqual({ ...before, sealed_name: after.sealed_name })
})

test('the banking partner never gets a placeholder: no account is opened', async () => {
  const { customerId } = await client.recipient()
  await damage({ ...damaged, customerId }, 'sealed_name')
  await expect(client.onramp(customerId)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
})

test('its verification is decided, with an event that has no name', async () => {
  const { parts } = fixture
  const event = {
    kind: 'onboarding',
    id: 'decided',
    subject: damaged.kybReference,
    sequence: 1,
    status: 'approved',
  } as const
  expect(await inTransaction(parts.db, (tx) => applyOnboardingEvent(parts, tx, event))).toBe('applied')
  const emitted = await emittedEvents(parts.db, client.organizationId, 'customer')
  expect(emitted.at(-1)).toMatchObject({
    event: 'customer.approved',
    data: { customer_id: damaged.customerId, name: null },
  })
})

test('it is archived and erased as any other', async () => {
  await archiveRecipient(fixture.parts, named())
  await eraseRecipient(fixture.parts, named())
  const { name, externalId, erasedAt } = await getRecipient(fixture.parts, client.organizationId, damaged.customerId)
  expect({ name, externalId, erasedAt }).toEqual({ name: '[erased]', externalId: null, erasedAt: expect.any(Date) })
})

test('its payments are settled and listed, and their events have no name', async () => {
  const { customerId } = await client.recipient()
  const { providerReference } = await client.onramp(customerId)
  await damage({ ...damaged, customerId }, 'sealed_name')
  const payment = { direction: 'onramp', accountReference: providerReference, subject: 'of a damaged' } as const
  await inTransaction(fixture.parts.db, (tx) =>
    applyTransferEvent(fixture.parts, tx, transferEvent({ ...payment, sequence: 1, status: 'pending' })),
  )
  expect(await client.transactions()).toMatchObject([{ recipientId: customerId, customerName: null }])
  const emitted = await emittedEvents(fixture.parts.db, client.organizationId, 'ramp_transaction')
  expect(emitted).toMatchObject([{ data: { customer_id: customerId, ramp_recipient_name: null } }])
})
