import { expect, test } from 'vitest'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { simulateKyb } from '../onboarding/check-kyb.ts'
import { startKyb } from '../onboarding/start-kyb.ts'
import { hostedForm } from '../sandbox/hosted-form.ts'
import { RAMP_ERASURE } from './erase-customers.ts'
import { eraseStaleKybAnswers } from './erase-stale-kyb-answers.ts'

const fixture = useFixture(openRampDatabase)
const ANSWERS = { legalName: 'Basalt', registrationNumber: 'HRB 1', country: 'DE', email: 'kyb@basalt.example' }

/** An organization with two attempts and a recipient, all with answers. */
async function answered() {
  const form = hostedForm(fixture.parts, fixture.provider)
  const submit = (link: string) => form.submit(link.split('/').at(-1)!, ANSWERS)
  const client = await fixture.organization({ verified: false })
  const { organizationId } = client
  for (const _attempt of [1, 2]) {
    await submit((await startKyb(fixture.parts, { organizationId })).kybLink)
    await simulateKyb(fixture.parts, { organizationId, recipientId: null, status: 'declined' })
  }
  const recipient = await client.recipient({ approved: false })
  await submit(recipient.kybLink)
  return { organizationId, recipient: recipient.kybReference }
}

const applications = () =>
  fixture.parts.db.selectFrom('ramp_sandbox_applications').select(['reference', 'answers']).orderBy('reference')
const withAnswers = async () =>
  (await applications().where('answers', 'is not', null).execute()).map(({ reference }) => reference)

test('answers that an erasure of an earlier version left are destroyed, and those of others stay', async () => {
  const [erased, other] = [await answered(), await answered()]
  const before = await applications().execute()
  const at = fixture.clock.now()
  await inTransaction(fixture.parts.db, (tx) => RAMP_ERASURE.erase(tx, { organizationId: erased.organizationId, at }))
  // As earlier versions left them, and as their forms took them after the erasure.
  for (const { reference, answers } of before)
    await fixture.parts.db
      .updateTable('ramp_sandbox_applications')
      .set({ answers })
      .where('reference', '=', reference)
      .execute()
  expect(await withAnswers()).toHaveLength(6)
  expect(await eraseStaleKybAnswers(fixture.parts)).toBe(3)
  expect(await withAnswers()).toEqual(
    [
      `kyb-organization-${other.organizationId}-1`,
      `kyb-organization-${other.organizationId}-2`,
      other.recipient,
    ].toSorted(),
  )
  expect(await eraseStaleKybAnswers(fixture.parts)).toBe(0)
})
