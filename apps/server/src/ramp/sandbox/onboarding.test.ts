// Also tested in: ramp/onboarding/check-kyb.test.ts (simulated decisions).

import { expect, test } from 'vitest'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { readApplicationEvent, setApplicationStatus, startOnboarding, submitAnswers } from './onboarding.ts'

const fixture = useFixture(openRampDatabase)

const ANSWERS = { legalName: 'Basalt', registrationNumber: 'HRB 1', country: 'DE', email: 'kyb@basalt.example' }
const start = (intent: string) =>
  startOnboarding(fixture.provider, {
    intent,
    organizationId: 1,
    kind: 'organization',
    name: 'Basalt',
    type: 'business',
  })
const submit = (reference: string, answers = ANSWERS) =>
  inTransaction(fixture.parts.db, (tx) => submitAnswers(tx, fixture.provider, reference, answers))
const setStatus = (reference: string, status: 'approved' | 'declined') =>
  inTransaction(fixture.parts.db, (tx) => setApplicationStatus(tx, fixture.provider, { reference, status }))
const applicationOf = (reference: string) =>
  fixture.parts.db
    .selectFrom('ramp_sandbox_applications')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()

test('the same intent starts one application, and a repeated start keeps its status', async () => {
  const [first, second] = await Promise.all([start('once'), start('once')])
  expect(second).toEqual(first)
  await submit(first.reference)
  expect(await start('once')).toEqual(first)
  expect(await applicationOf(first.reference)).toMatchObject({ status: 'submitted', sequence: 1 })
})

test('different intents have different links, whose tokens are not stored', async () => {
  const [one, two] = [await start('one'), await start('two')]
  expect(one.link).not.toBe(two.link)
  const token = one.link.split('/').at(-1)!
  expect(token.length).toBeGreaterThanOrEqual(43)
  expect(JSON.stringify(await applicationOf(one.reference))).not.toContain(token)
})

test('an application reports no event before its first change, and then each change in order', async () => {
  const { reference } = await start('in order')
  expect(await readApplicationEvent(fixture.provider, reference)).toBeUndefined()
  expect(await submit(reference)).toMatchObject({ sequence: 1, status: 'submitted' })
  const declined = await setStatus(reference, 'declined')
  expect(declined).toEqual({
    kind: 'onboarding',
    id: `${reference}:2`,
    subject: reference,
    sequence: 2,
    status: 'declined',
  })
  expect(await readApplicationEvent(fixture.provider, reference)).toEqual(declined)
})

test('the first of two concurrent submissions is stored, sealed', async () => {
  const { reference } = await start('submitted')
  const events = await Promise.all([submit(reference), submit(reference)])
  expect(events.filter((event) => event !== undefined)).toHaveLength(1)
  expect(await submit(reference, { ...ANSWERS, legalName: 'Another' })).toBeUndefined()
  const { answers } = await applicationOf(reference)
  expect(answers!.toString('latin1')).not.toContain('Basalt')
  expect(JSON.parse(fixture.provider.sealer.open(answers!, `ramp application ${reference}`))).toEqual(ANSWERS)
})

test('a decided application accepts no answers, and an unknown one no decision', async () => {
  const { reference } = await start('decided')
  await setStatus(reference, 'approved')
  expect(await submit(reference)).toBeUndefined()
  expect(await applicationOf(reference)).toMatchObject({ status: 'approved', answers: null })
  expect(await submit('kyb-unknown')).toBeUndefined()
  await expect(setStatus('kyb-unknown', 'approved')).rejects.toThrow('was started here')
})
