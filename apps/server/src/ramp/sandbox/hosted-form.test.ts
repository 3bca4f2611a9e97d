// Also tested in: ramp/sandbox/onboarding.test.ts (answers are submitted once and sealed).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { overlap } from '../../../testing/database/overlap.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { inTransaction } from '../../database/index.ts'
import { findOrganizationCustomer, findRecipient } from '../customers/customer.ts'
import { archiveRecipient } from '../customers/update-recipient.ts'
import { simulateKyb } from '../onboarding/check-kyb.ts'
import { startKyb } from '../onboarding/start-kyb.ts'
import { eraseRecipient, RAMP_ERASURE } from '../personal/erase-customers.ts'
import { type HostedForm, hostedForm } from './hosted-form.ts'

let fixture: RampDatabase
let form: HostedForm
beforeAll(async () => {
  fixture = await openRampDatabase()
  form = hostedForm(fixture.parts, fixture.provider)
})
afterAll(() => fixture?.close())

const ANSWERS = { legalName: 'Basalt', registrationNumber: 'HRB 1', country: 'DE', email: 'kyb@basalt.example' }

async function started(name: string) {
  const { organizationId } = await fixture.organization({ name, verified: false })
  const { kybLink } = await startKyb(fixture.parts, { organizationId })
  const kybStatus = async () => (await findOrganizationCustomer(fixture.parts, organizationId))?.kybStatus
  return { organizationId, token: kybLink.split('/').at(-1)!, kybStatus }
}

test('a submitted form moves the verification of its customer, in the same transaction', async () => {
  const [ours, theirs] = [await started('Ours'), await started('Theirs')]
  expect(await form.find(ours.token)).toMatchObject({ customer: 'Ours', status: 'pending' })
  expect(await form.submit(ours.token, ANSWERS)).toEqual({ customer: 'Ours', status: 'submitted' })
  expect(await ours.kybStatus()).toBe('submitted')
  expect(await theirs.kybStatus()).toBe('pending')
})

test('a form submitted again, or after the decision, changes nothing and reports the status', async () => {
  const { organizationId, token, kybStatus } = await started('Twice')
  await form.submit(token, ANSWERS)
  expect(await form.submit(token, ANSWERS)).toEqual({ customer: 'Twice', status: 'submitted' })
  await simulateKyb(fixture.parts, { organizationId, recipientId: null, status: 'declined' })
  expect(await form.submit(token, ANSWERS)).toEqual({ customer: 'Twice', status: 'declined' })
  expect(await kybStatus()).toBe('declined')
})

test('an unknown token has no form', async () => {
  expect(await form.find('unknown')).toBeUndefined()
  expect(await form.submit('unknown', ANSWERS)).toBeUndefined()
})

/** A recipient whose form was not sent yet. */
async function applicant() {
  const client = await fixture.organization()
  const { organizationId } = client
  const { customerId, kybLink, kybReference } = await client.recipient({ name: 'Erika Mustermann', approved: false })
  const kybStatus = async () => (await findRecipient(fixture.parts, organizationId, customerId)).kybStatus
  return { named: { organizationId, customerId }, token: kybLink.split('/').at(-1)!, kybReference, kybStatus }
}

async function answersOf(reference: string) {
  const rows = fixture.parts.db.selectFrom('ramp_sandbox_applications').select('answers')
  return (await rows.where('reference', '=', reference).executeTakeFirstOrThrow()).answers
}

test.each([
  ['erased', eraseRecipient],
  ['archived', archiveRecipient],
])('the form of an %s recipient is gone, and takes no answers', async (_state, end) => {
  const { named, token, kybReference, kybStatus } = await applicant()
  await end(fixture.parts, named)
  expect(await form.find(token)).toBeUndefined()
  expect(await form.submit(token, ANSWERS)).toBeUndefined()
  expect(await answersOf(kybReference)).toBeNull()
  expect(await kybStatus()).toBe('pending')
})

test('answers that are submitted during the erasure are not stored', async () => {
  const { named, token, kybReference } = await applicant()
  const submitted = overlap(fixture.parts.db, () => form.submit(token, ANSWERS))
  await eraseRecipient(fixture.parts, named, submitted.transact)
  expect(await submitted.outcome()).toBeUndefined()
  expect(await answersOf(kybReference)).toBeNull()
})

test('the form of an erased organization is gone, and takes no answers', async () => {
  const { organizationId, token, kybStatus } = await started('Erased')
  const at = fixture.clock.now()
  await inTransaction(fixture.parts.db, (tx) => RAMP_ERASURE.erase(tx, { organizationId, at }))
  expect(await form.submit(token, ANSWERS)).toBeUndefined()
  expect(await kybStatus()).toBe('pending')
})
