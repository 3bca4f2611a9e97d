// Also tested in: ramp/bridge/create-once.test.ts (a verification that a real partner began is begun once),
// ramp/bridge/bridge.test.ts (each recipient has a link of its own).

import { expect, test } from 'vitest'
import { beyondQuota, setQuotas } from '../../../testing/identity/set-quotas.ts'
import { failingTransact } from '../../../testing/index.ts'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { QUOTA_PLACE_HELD_MS } from '../../kernel/index.ts'
import { createDisabledProvider } from '../disabled/provider.ts'
import type { RampParts } from '../parts.ts'
import { createRecipient, type NewRecipient } from './create-recipient.ts'
import type { Customer } from './customer.ts'
import { archiveRecipient } from './update-recipient.ts'

const fixture = useFixture(openRampDatabase)

const create = (organizationId: number, fields: Partial<NewRecipient> = {}, parts: RampParts = fixture.parts) =>
  createRecipient(parts, { ...ADA, organizationId, ...fields })
const ADA = { name: 'Ada Lovelace', type: 'individual', externalId: null, address: null }
const recipientsOf = (organizationId: number) =>
  fixture.parts.db
    .selectFrom('ramp_customers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'recipient')
    .execute()
const applications = async () =>
  (await fixture.parts.db.selectFrom('ramp_sandbox_applications').select('reference').execute()).length

test('a recipient starts unverified, with a link to its form', async () => {
  const { organizationId } = await fixture.organization({ verified: false })
  const address = { street1: '1 Main Street', city: 'Springfield', country: 'US' }
  const created = await create(organizationId, { externalId: 'ada-1', address })
  expect(created).toEqual({
    ...ADA,
    organizationId,
    customerId: expect.any(Number),
    kind: 'recipient',
    externalId: 'ada-1',
    address,
    kybStatus: 'pending',
    kybLink: expect.stringMatching(/^\/ramp\/kyb\//),
    kybReference: expect.stringMatching(/^kyb-recipient-/),
    kybAttempt: 1,
    createdAt: fixture.clock.now(),
    archivedAt: null,
    createdBy: null,
  })
})

test('two recipients of the same name are separate, each with its own verification', async () => {
  const { organizationId } = await fixture.organization({ verified: false })
  const both = await Promise.all([create(organizationId), create(organizationId)])
  expect(new Set(both.map(({ kybReference }) => kybReference)).size).toBe(2)
  expect(new Set(both.map(({ kybLink }) => kybLink)).size).toBe(2)
})

test('an external id is used once in an organization, and a second one starts no verification', async () => {
  const { organizationId } = await fixture.organization({ verified: false })
  await create(organizationId, { externalId: 'ada' })
  const before = await applications()
  await expect(create(organizationId, { externalId: 'ada' })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await applications()).toBe(before)
  const other = await fixture.organization({ verified: false })
  expect(await create(other.organizationId, { externalId: 'ada' })).toMatchObject({ externalId: 'ada' })
})

test('one of two concurrent requests with one external id creates the recipient', async () => {
  const { organizationId } = await fixture.organization({ verified: false })
  const before = await applications()
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => create(organizationId, { externalId: 'ada' })))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toMatchObject([{ code: 'CONFLICT' }, { code: 'CONFLICT' }])
  expect(await recipientsOf(organizationId)).toHaveLength(1)
  expect(await applications()).toBe(before + 1)
})

test('while a verification with an external id is started, another request with that id makes no call to the partner', async () => {
  const { organizationId } = await fixture.organization({ verified: false })
  const other = await fixture.organization({ verified: false })
  const { provider } = fixture.parts
  const names: string[] = []
  let failure: Error | undefined
  const slow: RampParts = {
    ...fixture.parts,
    provider: {
      ...provider,
      async startOnboarding(applicant) {
        names.push(applicant.name)
        if (applicant.name === 'First') {
          await expect(create(organizationId, { name: 'Second', externalId: 'ada' }, slow)).rejects.toMatchObject({
            code: 'RAMP_UNAVAILABLE',
            details: { reason: 'request_in_progress' },
          })
          await create(organizationId, { name: 'Other id', externalId: 'grace' }, slow)
          await create(other.organizationId, { name: 'Other organization', externalId: 'ada' }, slow)
        }
        if (failure) throw failure
        return provider.startOnboarding(applicant)
      },
    },
  }
  await create(organizationId, { name: 'First', externalId: 'ada' }, slow)
  expect(names).toEqual(['First', 'Other id', 'Other organization'])
  failure = new Error('the partner is away')
  await expect(create(organizationId, { name: 'Lost', externalId: 'alan' }, slow)).rejects.toThrow('away')
  failure = undefined
  expect(await create(organizationId, { name: 'Again', externalId: 'alan' }, slow)).toMatchObject({ name: 'Again' })
})

test('an external id whose process died during the call is free after two minutes', async () => {
  const { organizationId } = await fixture.organization({ verified: false })
  const { promise: called, resolve } = Promise.withResolvers<void>()
  // It never ends, as after a kill.
  const startOnboarding = () => {
    resolve()
    return new Promise<never>(() => {})
  }
  const dead: RampParts = { ...fixture.parts, provider: { ...fixture.parts.provider, startOnboarding } }
  void create(organizationId, { externalId: 'ada' }, dead)
  await called
  // A conflict would be stored with the idempotency key, and every retry with that key would meet it.
  await expect(create(organizationId, { externalId: 'ada' })).rejects.toMatchObject({ code: 'RAMP_UNAVAILABLE' })
  fixture.clock.advance(QUOTA_PLACE_HELD_MS)
  expect(await create(organizationId, { externalId: 'ada' })).toMatchObject({ externalId: 'ada' })
})

test('without a provider, or when the caller’s transaction fails, no recipient is created', async () => {
  const { organizationId } = await fixture.organization({ verified: false })
  const disabled = { ...fixture.parts, provider: createDisabledProvider() }
  await expect(create(organizationId, {}, disabled)).rejects.toMatchObject({ code: 'RAMP_UNAVAILABLE' })
  const transact = failingTransact<Customer>(fixture.parts.db, 'the response was not recorded')
  await expect(createRecipient(fixture.parts, { ...ADA, organizationId }, transact)).rejects.toThrow('not recorded')
  expect(await recipientsOf(organizationId)).toEqual([])
})

test('an organization at a quota gets no recipient, and no verification is started for it', async () => {
  for (const quota of ['recipients', 'pendingVerifications'] as const) {
    const { organizationId } = await fixture.organization({ verified: true })
    await setQuotas(fixture.parts.db, organizationId, { [quota]: 2 })
    const started = await applications()
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => create(organizationId)))
    expect(await applications()).toBe(started + 2)
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused).toMatchObject([beyondQuota(quota, 2), beyondQuota(quota, 2)])
    expect(await recipientsOf(organizationId)).toHaveLength(2)
    const before = await applications()
    await expect(create(organizationId)).rejects.toMatchObject(beyondQuota(quota, 2))
    expect(await applications()).toBe(before)
  }
})

test('the pending verification of an archived recipient keeps its place for a day', async () => {
  const { organizationId } = await fixture.organization({ verified: true })
  await setQuotas(fixture.parts.db, organizationId, { pendingVerifications: 2 })
  const archived = await create(organizationId)
  await create(organizationId)
  await archiveRecipient(fixture.parts, archived)
  await expect(create(organizationId)).rejects.toMatchObject(beyondQuota('pendingVerifications', 2))
  fixture.clock.advance(86_400_000)
  await create(organizationId)
  await expect(create(organizationId)).rejects.toMatchObject(beyondQuota('pendingVerifications', 2))
})
