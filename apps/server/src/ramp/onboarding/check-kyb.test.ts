// Also tested in: ramp/bridge/bridge.test.ts (a decision whose message a real partner's customer never received).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { inTransaction } from '../../database/index.ts'
import { type Customer, findRecipient } from '../customers/customer.ts'
import { archiveRecipient } from '../customers/update-recipient.ts'
import { setApplicationStatus } from '../sandbox/onboarding.ts'
import { checkKyb, simulateKyb } from './check-kyb.ts'
import { startKyb } from './start-kyb.ts'

let fixture: RampDatabase
let client: RampClient
beforeAll(async () => {
  fixture = await openRampDatabase()
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  client = await fixture.organization({ verified: false })
})

const check = () => checkKyb(fixture.parts, client.organizationId)
const simulate = (status: 'approved' | 'declined', recipientId: number | null = null, of = client) =>
  simulateKyb(fixture.parts, { organizationId: of.organizationId, recipientId, status })
const emitted = async () =>
  (await emittedEvents(fixture.parts.db, client.organizationId, 'customer')).map(({ event }) => event)

test('a check before the verification starts finds nothing', async () => {
  expect(await check()).toBeUndefined()
})

test('a check applies a decision whose event was lost, once', async () => {
  const { kybReference } = await startKyb(fixture.parts, { organizationId: client.organizationId })
  expect(await check()).toMatchObject({ kybStatus: 'pending' })
  await inTransaction(fixture.parts.db, (tx) =>
    setApplicationStatus(tx, fixture.provider, { reference: kybReference, status: 'approved' }),
  )
  expect((await Promise.all([check(), check()])).map((customer) => customer?.kybStatus)).toEqual([
    'approved',
    'approved',
  ])
  expect(await check()).toMatchObject({ kybStatus: 'approved' })
  expect(await emitted()).toEqual(['customer.approved'])
})

test('a simulated decision changes the organization or the recipient that it names, and no other customer', async () => {
  await startKyb(fixture.parts, { organizationId: client.organizationId })
  const [ada, grace] = [await client.recipient({ approved: false }), await client.recipient({ approved: false })]
  expect(await simulate('approved', ada.customerId)).toEqual({ ...ada, kybStatus: 'approved' })
  expect(await findRecipient(fixture.parts, client.organizationId, grace.customerId)).toEqual(grace)
  expect(await check()).toMatchObject({ kybStatus: 'pending' })
  expect(await simulate('declined')).toMatchObject({ kind: 'organization', kybStatus: 'declined' })
})

test('one of two concurrent simulated decisions holds, and the other is a conflict', async () => {
  await startKyb(fixture.parts, { organizationId: client.organizationId })
  const outcomes = await Promise.allSettled([simulate('approved'), simulate('declined')])
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toMatchObject([{ code: 'CONFLICT' }])
  expect(await emitted()).toHaveLength(1)
})

test('a decision is rejected before the start, after a decision, and for archived and foreign recipients', async () => {
  await expect(simulate('approved')).rejects.toMatchObject({ code: 'CONFLICT' })
  await startKyb(fixture.parts, { organizationId: client.organizationId })
  await simulate('declined')
  await expect(simulate('approved')).rejects.toMatchObject({ code: 'CONFLICT' })

  const { organizationId, customerId } = await client.recipient({ approved: false })
  const stranger = await fixture.organization({ verified: false })
  await expect(simulate('approved', customerId, stranger)).rejects.toMatchObject({ code: 'RECIPIENT_NOT_FOUND' })
  await archiveRecipient(fixture.parts, { organizationId, customerId })
  await expect(simulate('approved', customerId)).rejects.toMatchObject({ code: 'RECIPIENT_ARCHIVED' })
  expect(await findRecipient(fixture.parts, organizationId, customerId)).toMatchObject({ kybStatus: 'pending' })
})

test('a provider without a simulator decides nothing', async () => {
  await startKyb(fixture.parts, { organizationId: client.organizationId })
  const { simulator: _none, ...provider } = fixture.parts.provider
  const decision = { organizationId: client.organizationId, recipientId: null, status: 'approved' } as const
  await expect(simulateKyb({ ...fixture.parts, provider }, decision)).rejects.toMatchObject({ code: 'SANDBOX_ONLY' })
})

test('a decision commits together with the caller’s transaction', async () => {
  await startKyb(fixture.parts, { organizationId: client.organizationId })
  const transact = failingTransact<Customer>(fixture.parts.db, 'the response was not recorded')
  const decision = { organizationId: client.organizationId, recipientId: null, status: 'approved' } as const
  await expect(simulateKyb(fixture.parts, decision, transact)).rejects.toThrow('not recorded')
  expect(await check()).toMatchObject({ kybStatus: 'pending' })
  expect(await emitted()).toEqual([])
  expect(await simulate('approved')).toMatchObject({ kybStatus: 'approved' })
})
