// Also tested in: ramp/bridge/event-order.test.ts (the lists alone lead to the partner's last status), deferred-events.test.ts.

import { expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { startBridgeFixture } from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { findOrganizationCustomer } from '../customers/customer.ts'
import { startKyb } from '../onboarding/start-kyb.ts'

const said = loggedLines()
const fixture = useFixture(() => startBridgeFixture({ log: said.log }))

const next = () => fixture.clock.advance(1_000)
const paid = { amount: '25.00', subtotal_amount: '25.00' }

test('changes whose messages were lost are found in the partner’s lists, across several pages', async () => {
  const client = await fixture.organization()
  await client.onramp()
  await client.offramp()
  const [account] = fixture.bridge.virtualAccounts
  const [address] = fixture.bridge.liquidationAddresses
  // Another client of the partner: its activity is listed between ours.
  const foreign = { ...account!, id: 'of-somebody-else' }
  fixture.bridge.virtualAccounts.push(foreign)
  for (let deposit = 0; deposit < 60; deposit += 1) {
    next()
    fixture.bridge.advanceDeposit(account!.id, `lost-${deposit}`, 'funds_received', paid)
    fixture.bridge.advanceDeposit(foreign.id, `foreign-${deposit}`, 'funds_received', paid)
    fixture.bridge.advanceDeposit(foreign.id, `foreign-${deposit}`, 'payment_submitted', paid)
    next()
    fixture.bridge.advanceDeposit(account!.id, `lost-${deposit}`, 'payment_processed', {
      ...paid,
      destination_tx_hash: `0x${deposit}`,
    })
  }
  for (const state of ['funds_received', 'payment_submitted', 'payment_processed']) {
    next()
    fixture.bridge.drain(address!.id, 'lost-drain', state, { amount: '7.00' })
  }
  await fixture.poll()
  const found = await client.transactions()
  expect(found).toHaveLength(61)
  expect(new Set(found.map(({ status }) => status))).toEqual(new Set(['completed']))
  // The messages arrive after all: nothing changes, and nothing is emitted twice.
  const outbox = () =>
    fixture.parts.db.selectFrom('outbox').select('id').where('organization_id', '=', client.organizationId).execute()
  const emitted = (await outbox()).length
  for (const message of fixture.bridge.messages.slice(-20)) await fixture.deliver(message)
  await fixture.poll()
  expect(await outbox()).toHaveLength(emitted)
  await expectValidFiatLedger(fixture.parts)
})

test('a verification decided while the service was down is found', async () => {
  const client = await fixture.organization(false)
  await startKyb(fixture.parts, { organizationId: client.organizationId })
  fixture.bridge.verify(fixture.bridge.links[0]!.id, 'approved')
  await fixture.poll()
  expect((await findOrganizationCustomer(fixture.parts, client.organizationId))?.kybStatus).toBe('approved')
})

test('a round in which the partner is unavailable changes nothing, and the next round catches up', async () => {
  const client = await fixture.organization()
  await client.onramp()
  next()
  fixture.bridge.advanceDeposit(fixture.bridge.virtualAccounts[0]!.id, 'later', 'funds_received', paid)
  for (let call = 0; call < 2; call += 1) fixture.bridge.fail('GET /virtual_accounts/history', 503)
  await fixture.poll()
  expect(await client.transactions()).toEqual([])
  await fixture.poll()
  expect(await client.transactions()).toHaveLength(1)
})

test('a payout that was found long after it began is followed to its end, though no message comes', async () => {
  const client = await fixture.organization()
  await client.offramp()
  const [address] = fixture.bridge.liquidationAddresses
  const hours = (count: number) => fixture.clock.advance(count * 3_600_000)
  const report = (state: string) => fixture.bridge.drain(address!.id, 'slow', state, { amount: '7.00' })
  report('funds_received')
  // The service is down for two days, and no message of the partner arrives.
  hours(48)
  await fixture.poll()
  expect(await client.transactions()).toMatchObject([{ status: 'processing' }])
  hours(26)
  report('payment_processed')
  await fixture.poll()
  expect(await client.transactions()).toMatchObject([{ status: 'completed' }])
})

test.each([
  ['refuses for good', 422, 1],
  // A read that fails is tried once more, and the next round goes on behind it.
  ['cannot read', 503, 4],
] as const)('a verification that the partner %s stops the poll of no later one', async (_what, status, times) => {
  const [bad, good] = [await fixture.organization(false), await fixture.organization(false)]
  for (const { organizationId } of [bad, good]) await startKyb(fixture.parts, { organizationId })
  const [later, refused] = fixture.bridge.links
  fixture.bridge.verify(later!.id, 'approved')
  for (let call = 0; call < times; call += 1) fixture.bridge.fail(`GET /kyc_links/${refused!.id}`, status)
  for (let round = 0; round < 2; round += 1) await fixture.poll()
  expect((await findOrganizationCustomer(fixture.parts, good.organizationId))?.kybStatus).toBe('approved')
  // The rest of the faults.
  await fixture.poll()
})

test('a verification that the partner refuses is logged once, and once when it can be read again', async () => {
  const client = await fixture.organization(false)
  await startKyb(fixture.parts, { organizationId: client.organizationId })
  const { id } = fixture.bridge.links[0]!
  said.take()
  for (let round = 0; round < 3; round += 1) {
    fixture.bridge.fail(`GET /kyc_links/${id}`, 422)
    await fixture.poll()
  }
  const about = () => said.lines.filter(({ verification }) => verification === id)
  expect(about()).toMatchObject([{ msg: 'the banking partner does not return a verification' }])
  await fixture.poll()
  expect(about()[1]).toMatchObject({ failures: 3, msg: 'the banking partner returns a verification again' })
})

const about = (payment: string) =>
  ({ table: 'ramp_transactions', when: `new.provider_reference = '${payment}'` }) as const

test('a listed payment that cannot be applied stops no other, is logged once, and is applied later, however old it is', async () => {
  const client = await fixture.organization()
  await client.onramp()
  const { id } = fixture.bridge.virtualAccounts[0]!
  const pay = (payment: string) => {
    next()
    fixture.bridge.advanceDeposit(id, payment, 'funds_received', paid)
  }
  const count = async () => {
    const { organizationId } = client
    const all = fixture.parts.db.selectFrom('ramp_transactions').select('id')
    return (await all.where('organization_id', '=', organizationId).execute()).length
  }
  const repair = await breakRows(fixture.parts.db, about('spoiled'))
  for (const payment of ['spoiled', 'good']) pay(payment)
  said.take()
  await fixture.poll()
  expect(await count()).toBe(1)
  // More than a page of newer entries.
  for (let newer = 0; newer < 110; newer += 1) pay(`newer-${newer}`)
  for (let rounds = 0; rounds < 2; rounds += 1) await fixture.poll()
  expect(await count()).toBe(111)
  expect(said.lines.filter(({ level }) => Number(level) >= 40)).toMatchObject([
    { account: id, msg: 'failed to apply payments that the banking partner lists; retrying' },
  ])
  await repair()
  await fixture.poll()
  expect(await count()).toBe(112)
  expect(said.lines.at(-1)).toMatchObject({
    account: id,
    failures: 3,
    msg: 'payments that the banking partner lists are applied again',
  })
  await expectValidFiatLedger(fixture.parts)
})

test('a listed payout that cannot be applied stops neither another one nor a verification', async () => {
  const client = await fixture.organization()
  await client.offramp()
  const address = fixture.bridge.liquidationAddresses[0]!
  const waiting = await fixture.organization(false)
  await startKyb(fixture.parts, { organizationId: waiting.organizationId })
  fixture.bridge.verify(fixture.bridge.links[0]!.id, 'approved')
  const repair = await breakRows(fixture.parts.db, about('spoiled payout'))
  for (const payout of ['spoiled payout', 'good payout']) {
    next()
    fixture.bridge.drain(address.id, payout, 'funds_received', { amount: '7.00' })
  }
  await fixture.poll()
  expect((await client.transactions()).map(({ paymentReference }) => paymentReference)).toEqual(['good payout'])
  expect((await findOrganizationCustomer(fixture.parts, waiting.organizationId))?.kybStatus).toBe('approved')
  await repair()
  await fixture.poll()
  expect(await client.transactions()).toHaveLength(2)
})

test('a verification that cannot be applied stops no later one, and is logged once', async () => {
  const [bad, good] = [await fixture.organization(false), await fixture.organization(false)]
  for (const { organizationId } of [bad, good]) {
    await startKyb(fixture.parts, { organizationId })
    fixture.bridge.verify(fixture.bridge.links[0]!.id, 'approved')
  }
  const statusOf = async ({ organizationId }: { readonly organizationId: number }) =>
    (await findOrganizationCustomer(fixture.parts, organizationId))?.kybStatus
  const when = `new.organization_id = ${bad.organizationId} and new.kyb_status = 'approved'`
  const repair = await breakRows(fixture.parts.db, { table: 'ramp_customers', when })
  said.take()
  for (let rounds = 0; rounds < 2; rounds += 1) await fixture.poll()
  expect(await statusOf(good)).toBe('approved')
  expect(said.lines.filter(({ level }) => Number(level) >= 40)).toMatchObject([
    { msg: 'failed to apply a verification of the banking partner' },
  ])
  await repair()
  await fixture.poll()
  expect(await statusOf(bad)).toBe('approved')
})

test('a clock that is set back delays no poll until it has caught up', async () => {
  const client = await fixture.organization()
  await client.onramp()
  await fixture.poll()
  fixture.clock.advance(-3_600_000)
  fixture.bridge.advanceDeposit(fixture.bridge.virtualAccounts[0]!.id, 'set back', 'funds_received', paid)
  await fixture.poll()
  expect(await client.transactions()).toHaveLength(1)
})
