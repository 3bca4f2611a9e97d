// Also tested in: ramp/sandbox/onboarding.test.ts (answers are submitted once and sealed).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp-database.ts'
import { findOrganizationCustomer } from '../customers/customer.ts'
import { simulateKyb } from '../onboarding/check-kyb.ts'
import { startKyb } from '../onboarding/start-kyb.ts'
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
