// Also tested with each verb that calls a partner: ramp/customers/create-recipient.test.ts,
// ramp/accounts/open-account.test.ts and ramp/onboarding/start-kyb.test.ts.
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { beyondQuota, setQuotas } from '../../../testing/identity/set-quotas.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { QUOTA_PLACE_HELD_MS } from '../../kernel/index.ts'
import { heldPlaces, holdQuotaPlaces } from './hold-quota-places.ts'
import type { QuotaUse } from './require-quota.ts'

const parts = useFixture(identityFixture)

async function limitedTo(webhooks: number) {
  const { organizationId } = (await organization(parts)).owner
  await setQuotas(parts.db, organizationId, { webhooks })
  const use: QuotaUse = (id, now) => heldPlaces('webhooks', id, now)
  const hold = (key: string, work: Parameters<typeof holdQuotaPlaces>[2]) =>
    holdQuotaPlaces(parts, { key, places: [{ organizationId, quota: 'webhooks', use }] }, work)
  const held = () =>
    parts.db.selectFrom('quota_places').select('key').where('organization_id', '=', organizationId).execute()
  return { hold, held }
}

test('only requests with a place begin their work when many come at once', async () => {
  const { hold, held } = await limitedTo(2)
  const begun: string[] = []
  const everyoneAsked = Promise.withResolvers<void>()
  const outcomes = ['a', 'b', 'c', 'd', 'e'].map((key) =>
    hold(key, async () => {
      begun.push(key)
      await everyoneAsked.promise
    }),
  )
  const refused = outcomes.map((outcome) => outcome.then(() => 0).catch((error: unknown) => error))
  let ended = 0
  for (const outcome of refused) {
    void outcome.then(() => {
      ended += 1
      if (ended === 3) everyoneAsked.resolve()
    })
  }
  expect((await Promise.all(refused)).filter((reason) => reason !== 0)).toMatchObject(
    Array(3).fill(beyondQuota('webhooks', 2)),
  )
  expect(begun).toHaveLength(2)
  expect(await held()).toEqual([])
})

test('a place is free again when the work fails, when it took no place, and when it took its own', async () => {
  const { hold, held } = await limitedTo(1)
  await expect(hold('a', () => Promise.reject(new Error('the partner is away')))).rejects.toThrow('away')
  expect(await held()).toEqual([])
  await hold('b', async () => expect(await held()).toEqual([{ key: 'b' }]))
  expect(await held()).toEqual([])
  await hold('c', (consume) => inTransaction(parts.db, (tx) => consume(tx)))
  expect(await held()).toEqual([])
})

test('a place that was taken in a transaction that failed is free again', async () => {
  const { hold, held } = await limitedTo(1)
  const failing = hold('a', (consume) =>
    inTransaction(parts.db, async (tx) => {
      await consume(tx)
      throw new Error('the response was not recorded')
    }),
  )
  await expect(failing).rejects.toThrow('not recorded')
  expect(await held()).toEqual([])
})

test('requests with the same key share one place', async () => {
  const { hold } = await limitedTo(1)
  await hold('a', () => hold('a', () => expect(hold('b', async () => 0)).rejects.toMatchObject({ code: 'CONFLICT' })))
})

test('the place of a process that died is free after two minutes, and its row goes with the next request', async () => {
  const { hold, held } = await limitedTo(1)
  // It never ends, as after a kill.
  void hold('dead', () => new Promise(() => {}))
  await expect.poll(held).toEqual([{ key: 'dead' }])
  await expect(hold('early', async () => 0)).rejects.toMatchObject({ code: 'CONFLICT' })
  parts.clock.advance(QUOTA_PLACE_HELD_MS)
  await hold('late', async () => expect(await held()).toEqual([{ key: 'late' }]))
})

test('work that outlived its place takes one only if one is free', async () => {
  const { hold } = await limitedTo(1)
  const slow = hold('slow', async (consume) => {
    parts.clock.advance(QUOTA_PLACE_HELD_MS)
    await hold('other', () =>
      expect(inTransaction(parts.db, (tx) => consume(tx))).rejects.toMatchObject(beyondQuota('webhooks', 1)),
    )
  })
  await slow
})
