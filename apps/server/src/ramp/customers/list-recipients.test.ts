// Also tested in: system/money/ramp.test.ts (the list by status, archived ones, over HTTP).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { SEARCH_NAMES_MAX } from '../../kernel/index.ts'
import { listRecipients } from './list-recipients.ts'
import { archiveRecipient, updateRecipient } from './update-recipient.ts'

let fixture: RampDatabase
let client: RampClient
beforeAll(async () => {
  fixture = await openRampDatabase()
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  client = await fixture.organization()
})

type Filter = Parameters<typeof listRecipients>[2]

async function find(filter: Filter, page = { limit: 10, offset: 0 }) {
  const { recipients, ...rest } = await listRecipients(fixture.parts, client.organizationId, filter, page)
  return { ids: recipients.map(({ customerId }) => customerId), ...rest }
}

test('a text finds ids, whole external ids and beginnings of words of a name, on every page', async () => {
  const { customerId: ada } = await client.recipient({ name: 'Ada Lovelace' })
  const { customerId: grace } = await client.recipient({ name: 'Grace Hopper', approved: false })
  const { customerId: love } = await client.recipient({ name: 'Lovely Ltd' })
  const named = { organizationId: client.organizationId, customerId: grace }
  await updateRecipient(fixture.parts, named, { externalId: 'love-1' })
  const stranger = await fixture.organization()
  const { customerId: other } = await stranger.recipient({ name: 'Lovelace' })
  const nothingUnsearched = { unsearched: 0 }
  expect(await find({ text: 'LOVE' })).toEqual({ ids: [love, ada], total: 2, ...nothingUnsearched })
  expect(await find({ text: 'love' }, { limit: 1, offset: 1 })).toMatchObject({ ids: [ada], total: 2 })
  expect(await find({ text: 'love-1' })).toMatchObject({ ids: [grace], total: 1 })
  expect(await find({ text: String(ada) })).toMatchObject({ ids: [ada] })
  expect(await find({ text: String(other) })).toMatchObject({ ids: [], total: 0 })
  expect(await find({ text: 'velace' })).toMatchObject({ ids: [], total: 0 })
  expect(await find({})).toEqual({ ids: [love, grace, ada], total: 3 })
})

test('a text is searched among what the other filters leave', async () => {
  const [first, second] = [await client.recipient({ name: 'Ada' }), await client.recipient({ name: 'Ada' })]
  await archiveRecipient(fixture.parts, { organizationId: client.organizationId, customerId: first.customerId })
  expect(await find({ text: 'ada' })).toMatchObject({ ids: [second.customerId], total: 1 })
  expect(await find({ text: 'ada', archived: true })).toMatchObject({ ids: [first.customerId], total: 1 })
  expect(await find({ text: String(first.customerId) })).toMatchObject({ ids: [], total: 0 })
  expect(await find({ text: 'ada', kybStatus: 'declined' })).toMatchObject({ ids: [], total: 0 })
})

test('recipients beyond the newest are counted as not searched, and found by their id', async () => {
  const { customerId: oldest } = await client.recipient({ name: 'Ada' })
  const { organizationId } = client
  await fixture.parts.db
    .insertInto('ramp_customers')
    .values(
      Array.from({ length: SEARCH_NAMES_MAX }, () => ({
        organization_id: organizationId,
        kind: 'recipient' as const,
        name: 'Grace',
        type: 'business',
        created_at: fixture.parts.clock.now(),
      })),
    )
    .execute()
  expect(await find({ text: 'ada' })).toEqual({ ids: [], total: 0, unsearched: 1 })
  expect(await find({ text: String(oldest) })).toEqual({ ids: [oldest], total: 1, unsearched: 1 })
})
