// Also tested in: ramp/bridge/poll.test.ts (a payout that was found late), event-order.test.ts, deferred-events.test.ts.

import { expect, test } from 'vitest'
import { startBridgeFixture } from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { findOrganizationCustomer } from '../customers/customer.ts'
import { startKyb } from '../onboarding/start-kyb.ts'

const fixture = useFixture(startBridgeFixture)

const DAY_MS = 86_400_000

/** An organization with a payout under way that began days ago, below hundreds of payouts of others in the list. */
async function oldPayout(name: string) {
  const client = await fixture.organization()
  await client.offramp()
  const [address] = fixture.bridge.liquidationAddresses
  const report = (state: string) => fixture.bridge.drain(address!.id, name, state, { amount: '7.00' })
  await fixture.deliver(report('payment_submitted'))
  const foreign = { ...address!, id: `not-${name}` }
  fixture.bridge.liquidationAddresses.push(foreign)
  for (let count = 0; count < 250; count += 1)
    fixture.bridge.drain(foreign.id, `${foreign.id}-${count}`, 'payment_processed', { amount: '1.00' })
  fixture.clock.advance(11 * DAY_MS)
  return { client, report }
}

/** Polls, and returns how many pages of payouts that read. */
async function pagesOfPoll(): Promise<number> {
  const before = fixture.bridge.reads.length
  await fixture.poll()
  return fixture.bridge.reads.slice(before).filter((read) => read.startsWith('/liquidation_addresses/drains')).length
}

test('a payout that the partner does not list costs a reading of the whole list once a day, not in each round', async () => {
  const { client } = await oldPayout('gone')
  fixture.bridge.drains.splice(
    fixture.bridge.drains.findIndex(({ id }) => id === 'gone'),
    1,
  )
  expect(await pagesOfPoll()).toBe(1 + 3)
  for (let round = 0; round < 5; round += 1) expect(await pagesOfPoll()).toBe(1)
  fixture.clock.advance(3_600_000)
  expect(await pagesOfPoll()).toBe(1)
  fixture.clock.advance(DAY_MS)
  expect(await pagesOfPoll()).toBe(1 + 3)
  expect(await client.transactions()).toMatchObject([{ status: 'in_progress' }])
})

test('a payout that began long ago is read once an hour, until it is over', async () => {
  const { client, report } = await oldPayout('slow')
  fixture.clock.advance(DAY_MS)
  expect(await pagesOfPoll()).toBeGreaterThan(1)
  report('payment_processed')
  expect(await pagesOfPoll()).toBe(1)
  fixture.clock.advance(3_600_000)
  expect(await pagesOfPoll()).toBeGreaterThan(1)
  expect(await client.transactions()).toMatchObject([{ status: 'completed' }])
  fixture.clock.advance(3_600_000)
  expect(await pagesOfPoll()).toBe(1)
})

test('a failure below the recent payouts holds up neither these nor verifications', async () => {
  const { client, report } = await oldPayout('stuck')
  const waiting = await fixture.organization(false)
  await startKyb(fixture.parts, { organizationId: waiting.organizationId })
  fixture.bridge.verify(fixture.bridge.links[0]!.id, 'approved')
  const recent = fixture.bridge.drains.find(({ id }) => id === 'stuck')!.liquidation_address_id as string
  fixture.bridge.drain(recent, 'recent', 'payment_processed', { amount: '2.00' })
  fixture.clock.advance(3_600_000)
  // The client repeats a read once.
  for (let call = 0; call < 2; call += 1)
    fixture.bridge.fail('GET /liquidation_addresses/drains?limit=100&starting_after', 503)
  await fixture.poll()
  const found = await client.transactions()
  expect(found.map(({ paymentReference, status }) => [paymentReference, status])).toEqual([
    ['recent', 'completed'],
    ['stuck', 'in_progress'],
  ])
  expect((await findOrganizationCustomer(fixture.parts, waiting.organizationId))?.kybStatus).toBe('approved')
  report('payment_processed')
  fixture.clock.advance(3_600_000)
  await fixture.poll()
  expect((await client.transactions())[1]).toMatchObject({ status: 'completed' })
})

test('a clock that is set back delays no reading of old payouts until it has caught up', async () => {
  const { client, report } = await oldPayout('set back')
  fixture.clock.advance(DAY_MS)
  expect(await pagesOfPoll()).toBeGreaterThan(1)
  fixture.clock.advance(-7_200_000)
  report('payment_processed')
  await fixture.poll()
  expect(await client.transactions()).toMatchObject([{ status: 'completed' }])
})

test('a payout that does not say when it changed is as new as its list, and overtakes the message before', async () => {
  const client = await fixture.organization()
  await client.offramp()
  const { id } = fixture.bridge.liquidationAddresses[0]!
  const report = (state: string) =>
    fixture.bridge.drain(id, 'undated', state, { amount: '7.00', updated_at: undefined })
  const submitted = report('payment_submitted')
  fixture.clock.advance(60_000)
  const late = { ...submitted, event_created_at: fixture.bridge.now() }
  await fixture.deliver(late)
  report('payment_processed')
  await fixture.poll()
  expect(await client.transactions()).toMatchObject([{ status: 'completed' }])
})

test('a payout that a bank returns within ten days of its creation is found in the list', async () => {
  const client = await fixture.organization()
  await client.offramp()
  const { id } = fixture.bridge.liquidationAddresses[0]!
  const report = (state: string) => fixture.bridge.drain(id, 'late', state, { amount: '7.00' })
  await fixture.deliver(report('payment_processed'))
  fixture.clock.advance(9 * DAY_MS)
  report('returned')
  await fixture.poll()
  expect(await client.transactions()).toMatchObject([{ status: 'reversed' }])
})
