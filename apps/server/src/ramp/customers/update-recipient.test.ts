// Also tested in: ramp/deposits/handle-waiting-deposits.test.ts (a deposit for an archived recipient is returned),
// ramp/accounts/open-account.test.ts (an archived recipient gets no account).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { listAccounts } from '../accounts/account.ts'
import { type Customer, findOrganizationCustomer, findRecipient } from './customer.ts'
import { archiveRecipient, type RecipientUpdate, updateRecipient } from './update-recipient.ts'

let fixture: RampDatabase
let client: RampClient
let recipient: Customer
beforeAll(async () => {
  fixture = await openRampDatabase()
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  client = await fixture.organization()
  recipient = await client.recipient()
})

const named = ({ organizationId, customerId }: Customer = recipient) => ({ organizationId, customerId })
const update = (change: RecipientUpdate, of = named()) => updateRecipient(fixture.parts, of, change)
const archive = (of = named()) => archiveRecipient(fixture.parts, of)
const stored = (of: Customer = recipient) => findRecipient(fixture.parts, of.organizationId, of.customerId)
const statusesOf = async ({ customerId, organizationId }: Customer) =>
  (await listAccounts(fixture.parts, organizationId, { customerId })).accounts.map(({ status }) => status)

test('only the given fields change, and null clears one', async () => {
  const address = { street1: '2 Side Street', city: 'Shelbyville', country: 'US' }
  expect(await update({ externalId: 'ada-1' })).toEqual({ ...recipient, externalId: 'ada-1' })
  expect(await update({ name: 'Ada King', address })).toEqual({
    ...recipient,
    name: 'Ada King',
    externalId: 'ada-1',
    address,
  })
  expect(await update({ externalId: null, address: null })).toEqual({
    ...recipient,
    name: 'Ada King',
    externalId: null,
    address: null,
  })
  expect(await stored()).toMatchObject({ name: 'Ada King', externalId: null, address: null, kybStatus: 'approved' })
})

test('the external id of another recipient is refused, and its own may be sent again', async () => {
  const other = await client.recipient({ name: 'Grace Hopper' })
  await update({ externalId: 'ada' })
  await expect(update({ name: 'Grace', externalId: 'ada' }, named(other))).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await stored(other)).toEqual(other)
  expect(await update({ externalId: 'ada' })).toMatchObject({ externalId: 'ada' })
  const stranger = await (await fixture.organization()).recipient()
  expect(await update({ externalId: 'ada' }, named(stranger))).toMatchObject({ externalId: 'ada' })
})

test('another organization’s recipient, and the organization itself, cannot be changed or archived', async () => {
  const stranger = (await fixture.organization()).organizationId
  const itself = (await findOrganizationCustomer(fixture.parts, client.organizationId))!
  for (const of of [{ ...named(), organizationId: stranger }, named(itself)]) {
    await expect(update({ name: 'Taken over' }, of)).rejects.toMatchObject({ code: 'RECIPIENT_NOT_FOUND' })
    await expect(archive(of)).rejects.toMatchObject({ code: 'RECIPIENT_NOT_FOUND' })
  }
  expect(await stored()).toEqual(recipient)
})

test('archiving closes the recipient’s accounts and no other, and keeps its history', async () => {
  await client.onramp(recipient.customerId)
  await client.offramp(recipient.customerId)
  const other = await client.recipient({ name: 'Grace Hopper' })
  await client.onramp(other.customerId)
  const archivedAt = fixture.clock.now()
  expect(await archive()).toEqual({ ...recipient, archivedAt })
  expect(await statusesOf(recipient)).toEqual(['archived', 'archived'])
  expect(await statusesOf(other)).toEqual(['active'])
  expect(await stored(other)).toEqual(other)
})

test('archiving twice changes nothing the second time', async () => {
  const first = await archive()
  fixture.clock.advance(60_000)
  expect(await archive()).toEqual(first)
})

test('archiving commits together with the caller’s transaction', async () => {
  await client.onramp(recipient.customerId)
  const transact = failingTransact<Customer>(fixture.parts.db, 'the response was not recorded')
  await expect(archiveRecipient(fixture.parts, named(), transact)).rejects.toThrow('not recorded')
  expect(await stored()).toEqual(recipient)
  expect(await statusesOf(recipient)).toEqual(['active'])
})
