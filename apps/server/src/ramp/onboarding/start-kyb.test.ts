// Also tested in: ramp/bridge/create-once.test.ts (a verification that a real partner began is begun once),
// ramp/bridge/bridge.test.ts (a declined customer keeps the partner's link).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beyondQuota, setQuotas } from '../../../testing/identity/set-quotas.ts'
import { failingTransact } from '../../../testing/index.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { inTransaction } from '../../database/index.ts'
import { createRecipient } from '../customers/create-recipient.ts'
import { type Customer, findOrganizationCustomer } from '../customers/customer.ts'
import { createDisabledProvider } from '../disabled/provider.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'
import type { Applicant } from '../provider/port.ts'
import { simulateKyb } from './check-kyb.ts'
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

const start = (parts = fixture.parts) => startKyb(parts, { organizationId: client.organizationId })
const decide = (status: 'approved' | 'declined') =>
  simulateKyb(fixture.parts, { organizationId: client.organizationId, recipientId: null, status })
const stored = () => findOrganizationCustomer(fixture.parts, client.organizationId)

test('the first start makes the organization a customer with a form to fill in', async () => {
  const started = await start()
  expect(started).toMatchObject({
    kind: 'organization',
    name: 'Basalt Payments',
    kybStatus: 'pending',
    kybLink: expect.stringMatching(/^\/ramp\/kyb\//),
    kybAttempt: 1,
  })
  expect(await stored()).toEqual(started)
})

test('a start while the verification is open, or after its approval, changes nothing', async () => {
  const started = await start()
  fixture.clock.advance(1_000)
  expect(await start()).toEqual(started)
  const approved = await decide('approved')
  const disabled = { ...fixture.parts, provider: createDisabledProvider() }
  expect(await start(disabled)).toEqual(approved)
})

test('concurrent starts begin one verification', async () => {
  const customers = await Promise.all([start(), start(), start()])
  expect(customers[1]).toEqual(customers[0])
  expect(customers[2]).toEqual(customers[0])
  await decide('declined')
  const again = await Promise.all([start(), start(), start()])
  expect(again.map(({ kybAttempt }) => kybAttempt)).toEqual([2, 2, 2])
  expect(new Set(again.map(({ kybReference }) => kybReference)).size).toBe(1)
})

test('a start that the provider answers late does not undo what was decided meanwhile', async () => {
  const { provider } = fixture.parts
  const slow = {
    ...fixture.parts,
    provider: {
      ...provider,
      async startOnboarding(applicant: Applicant) {
        const onboarding = await provider.startOnboarding(applicant)
        await start()
        await decide('approved')
        return onboarding
      },
    },
  }
  expect(await start(slow)).toMatchObject({ kybStatus: 'approved', kybAttempt: 1 })
})

test('a restart that the provider answers late does not undo an approval of the declined verification', async () => {
  const { kybReference: subject } = await start()
  await decide('declined')
  const { provider } = fixture.parts
  const late = {
    ...fixture.parts,
    provider: {
      ...provider,
      async startOnboarding() {
        const event = { kind: 'onboarding', id: `${subject}:after`, subject, sequence: 99, status: 'approved' } as const
        await inTransaction(fixture.parts.db, (tx) => applyProviderEvent(fixture.parts, tx, event))
        return { reference: subject, link: '/the-same-form' }
      },
    },
  }
  expect(await start(late)).toMatchObject({ kybStatus: 'approved', kybAttempt: 1 })
})

test('names who started it first, also after it started again', async () => {
  const organizationId = client.organizationId
  const createdBy = { type: 'key', id: 7 } as const
  expect(await startKyb(fixture.parts, { organizationId, createdBy })).toMatchObject({ createdBy })
  await decide('declined')
  expect(await startKyb(fixture.parts, { organizationId, createdBy: { type: 'key', id: 8 } })).toMatchObject({
    kybAttempt: 2,
    createdBy,
  })
  const { createdBy: of } = (await stored())!
  expect(of).toEqual(createdBy)
})

test('after a decline the verification starts again, and late events of the first one are obsolete', async () => {
  const first = await start()
  await decide('declined')
  const second = await start()
  expect(second).toMatchObject({ customerId: first.customerId, kybStatus: 'pending', kybAttempt: 2 })
  expect(second.kybReference).not.toBe(first.kybReference)
  expect(second.kybLink).not.toBe(first.kybLink)
  const late = {
    kind: 'onboarding',
    id: 'late',
    subject: first.kybReference,
    sequence: 9,
    status: 'approved',
  } as const
  const outcome = await inTransaction(fixture.parts.db, (tx) => applyProviderEvent(fixture.parts, tx, late))
  expect(outcome).toBe('unknown')
  expect(await decide('approved')).toMatchObject({ kybStatus: 'approved', kybAttempt: 2 })
})

test('without a provider, or when the caller’s transaction fails, nothing starts', async () => {
  const disabled = { ...fixture.parts, provider: createDisabledProvider() }
  await expect(start(disabled)).rejects.toMatchObject({ code: 'RAMP_UNAVAILABLE' })
  const transact = failingTransact<Customer>(fixture.parts.db, 'the response was not recorded')
  await expect(startKyb(fixture.parts, { organizationId: client.organizationId }, transact)).rejects.toThrow(
    'not recorded',
  )
  expect(await stored()).toBeUndefined()
})

test('the verification of the organization takes a place in the quota of pending ones, at each start', async () => {
  const { organizationId } = client
  const recipient = () =>
    createRecipient(fixture.parts, { organizationId, name: 'Ada', type: 'individual', externalId: null, address: null })
  await setQuotas(fixture.parts.db, organizationId, { pendingVerifications: 1 })
  await start()
  expect(await start()).toMatchObject({ kybAttempt: 1 })
  await decide('declined')
  await recipient()
  const { provider } = fixture.parts
  await expect(start({ ...fixture.parts, provider: createDisabledProvider() })).rejects.toMatchObject(
    beyondQuota('pendingVerifications', 1),
  )

  // The last place goes while the provider responds.
  await setQuotas(fixture.parts.db, organizationId, { pendingVerifications: 2 })
  const taken = {
    ...provider,
    startOnboarding: async (of: Applicant) => {
      if (of.kind === 'organization') await recipient()
      return await provider.startOnboarding(of)
    },
  }
  await expect(start({ ...fixture.parts, provider: taken })).rejects.toMatchObject(
    beyondQuota('pendingVerifications', 2),
  )
  expect(await stored()).toMatchObject({ kybStatus: 'declined', kybAttempt: 1 })
})
