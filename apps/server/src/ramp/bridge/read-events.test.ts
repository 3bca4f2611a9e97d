import { expect, test } from 'vitest'
import { startBridgeFixture } from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { applyProviderMessage } from '../events/apply-provider-event.ts'

const fixture = useFixture(startBridgeFixture)

const next = () => fixture.clock.advance(1_000)
const paid = { amount: '25.00', subtotal_amount: '25.00' }
const ignored = () =>
  fixture.parts.db.selectFrom('ramp_bridge_ignored_events').select(['event_id', 'reason', 'body']).execute()

test('a message that is forged, changed or replayed late is rejected and has no effect', async () => {
  const client = await fixture.organization()
  await client.onramp()
  next()
  const message = fixture.bridge.advanceDeposit(fixture.bridge.virtualAccounts[0]!.id, 'forged', 'funds_received', paid)
  const { headers, body } = fixture.bridge.sign(message)
  const changed = Buffer.from(body.toString().replace('25.00', '99.00'))
  await expect(applyProviderMessage(fixture.parts, { headers, body: changed })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  await expect(applyProviderMessage(fixture.parts, { headers: {}, body })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  fixture.clock.advance(10 * 60_000 + 1)
  await expect(applyProviderMessage(fixture.parts, { headers, body })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await client.transactions()).toEqual([])
  // The partner sends it again with a new signature.
  expect(await fixture.deliver(message)).toBe(1)
  expect(await client.transactions()).toHaveLength(1)
})

test('a message that arrives three times counts once', async () => {
  const client = await fixture.organization()
  await client.onramp()
  next()
  const message = fixture.bridge.advanceDeposit(fixture.bridge.virtualAccounts[0]!.id, 'thrice', 'funds_received', paid)
  for (let time = 0; time < 3; time += 1) await fixture.deliver(message)
  const [only] = await client.transactions()
  expect(only!.statusHistory.map(({ status }) => status)).toEqual(['pending', 'processing'])
})

test('an unknown message, or one of another shape, is stored sealed and acknowledged', async () => {
  const before = (await ignored()).length
  const unknown = fixture.bridge.emit('card_account', 'created', { id: 'card-1', holder: 'Secret Name' })
  expect(await fixture.deliver(unknown)).toBe(0)
  expect(await fixture.deliver(unknown)).toBe(0)
  const { headers, body } = fixture.bridge.sign({ hello: 'world' })
  expect(await applyProviderMessage(fixture.parts, { headers, body })).toBe(0)
  const kept = await ignored()
  expect(kept).toHaveLength(before + 2)
  const { event_id: id, body: sealed } = kept.find(({ event_id }) => event_id === unknown.event_id)!
  expect(sealed.toString('latin1')).not.toContain('Secret Name')
  expect(id).toBe(unknown.event_id)
})

test.each([
  ['virtual_account.activity', { id: 'a', type: 'microdeposit', amount: '0.01' }, 'not about a received payment'],
  [
    'virtual_account.activity',
    { id: 'b', type: 'funds_received', virtual_account_id: 'x', amount: '1' },
    'unknown account',
  ],
  ['liquidation_address.drain', { id: 'c', state: 'error' }, 'handles manually'],
  ['liquidation_address.drain', { id: 'd', state: 'funds_received', liquidation_address_id: 'x' }, 'unknown account'],
  ['kyc_link', { id: 'e', kyc_status: 'something_new' }, 'unknown status'],
  ['transfer', { id: 'f', state: 'payment_processed' }, 'irrelevant category'],
])('a message about %s %j changes nothing and is stored: %s', async (category, object, reason) => {
  const message = fixture.bridge.emit(category, 'updated', object)
  expect(await fixture.deliver(message)).toBe(0)
  const kept = (await ignored()).find(({ event_id }) => event_id === message.event_id)
  expect(kept?.reason).toContain(reason)
})

test('a malformed amount is stored, not posted', async () => {
  const client = await fixture.organization()
  await client.onramp()
  next()
  for (const amount of ['-5', '1e3', 'NaN', '', undefined]) {
    const message = fixture.bridge.advanceDeposit(fixture.bridge.virtualAccounts[0]!.id, 'odd', 'funds_received', {
      amount,
    })
    expect(await fixture.deliver(message)).toBe(0)
  }
  expect(await client.transactions()).toEqual([])
})
