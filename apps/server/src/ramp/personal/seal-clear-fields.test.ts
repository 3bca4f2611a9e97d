import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { RAMP_KEY } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { systemRandomSource } from '../../kernel/index.ts'
import { findAccount } from '../accounts/account.ts'
import { createRecipient } from '../customers/create-recipient.ts'
import { findRecipient } from '../customers/customer.ts'
import { createFieldSealer } from '../sealing/sealed-fields.ts'
import { countClearFields, sealClearFields } from './seal-clear-fields.ts'

let fixture: RampDatabase
let client: RampClient
beforeAll(async () => {
  fixture = await openRampDatabase()
  client = await fixture.organization()
})
afterAll(() => fixture?.close())

const address = { street1: '1 Quartz Street', city: 'Basel', country: 'CH' }

/** A recipient as a version before sealing stored it. */
async function clearRecipient(externalId: string): Promise<number> {
  const { organizationId } = client
  const input = { organizationId, name: 'Clara Clear', type: 'individual', externalId, address }
  const { customerId } = await createRecipient(fixture.parts, { ...input, externalId: null })
  await sql`
    update ramp_customers set name = 'Clara Clear', external_id = ${externalId}, address = ${JSON.stringify(address)},
      kyb_link = 'https://kyb.example/clara', sealed_name = null, sealed_address = null, sealed_kyb_link = null
    where id = ${customerId}
  `.execute(fixture.parts.db)
  return customerId
}

const rowOf = (id: number) =>
  fixture.parts.db.selectFrom('ramp_customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a plain-text recipient is read as before, sealed without loss, and its plain-text columns are emptied', async () => {
  const customerId = await clearRecipient('clara-1')
  const before = await findRecipient(fixture.parts, client.organizationId, customerId)
  expect(before).toMatchObject({ name: 'Clara Clear', externalId: 'clara-1', address })
  expect(await countClearFields(fixture.parts.db)).toBe(1)
  expect(await sealClearFields(fixture.parts)).toBe(1)
  expect(await sealClearFields(fixture.parts)).toBe(0)
  expect(await findRecipient(fixture.parts, client.organizationId, customerId)).toEqual(before)
  expect(await rowOf(customerId)).toMatchObject({ name: '', external_id: null, address: null, kyb_link: null })
})

test('the external id of a sealed recipient is taken, also for a plain-text recipient', async () => {
  const { organizationId } = client
  const again = { organizationId, name: 'Other', type: 'business', externalId: 'clara-1', address: null }
  await expect(createRecipient(fixture.parts, again)).rejects.toMatchObject({ code: 'CONFLICT' })
  const inClear = await clearRecipient('clara-2')
  await expect(createRecipient(fixture.parts, { ...again, externalId: 'clara-2' })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await sealClearFields(fixture.parts)
  expect((await rowOf(inClear)).external_id_index).not.toBeNull()
})

test('a plain-text account is sealed without loss', async () => {
  const { organizationId } = client
  const { accountId } = await client.onramp()
  const before = await findAccount(fixture.parts, organizationId, accountId, 'onramp')
  await sql`
    update ramp_accounts set bank_name = ${before.bankName}, routing_number = ${before.routingNumber},
      sealed_bank_name = null, sealed_routing_number = null where id = ${accountId}
  `.execute(fixture.parts.db)
  expect(await findAccount(fixture.parts, organizationId, accountId, 'onramp')).toEqual(before)
  expect(await sealClearFields(fixture.parts)).toBe(1)
  expect(await findAccount(fixture.parts, organizationId, accountId, 'onramp')).toEqual(before)
  const { bank_name, routing_number } = await fixture.parts.db
    .selectFrom('ramp_accounts')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  expect([bank_name, routing_number]).toEqual(['', ''])
})

test('once every row is sealed, a plain-text value is neither read nor sealed', async () => {
  const customerId = await clearRecipient('clara-3')
  const strict = {
    ...fixture.parts,
    fields: createFieldSealer({
      encryptionKeys: RAMP_KEY,
      indexKey: RAMP_KEY,
      random: systemRandomSource,
      acceptsClear: false,
    }),
  }
  expect(await findRecipient(strict, client.organizationId, customerId)).toMatchObject({
    name: '[unreadable]',
    externalId: '[unreadable]',
  })
  expect(await sealClearFields(strict)).toBe(0)
  expect((await rowOf(customerId)).sealed_name).toBeNull()
})
