import { pino } from 'pino'
import { expect, test } from 'vitest'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { startBridgeFixture } from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { Failure } from '../../kernel/index.ts'
import { createRecipient } from '../customers/create-recipient.ts'
import { findOrganizationCustomer } from '../customers/customer.ts'
import { checkKyb } from '../onboarding/check-kyb.ts'
import { startKyb } from '../onboarding/start-kyb.ts'
import { BridgeApiError } from './client.ts'

const fixture = useFixture(startBridgeFixture)

/** The events of an organization in the outbox, as `event status`. */
const told = async (organizationId: number) =>
  (
    await fixture.parts.db
      .selectFrom('outbox')
      .select(['event', 'data'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
  ).map(({ event, data }) => (data.status === undefined ? event : `${event} ${data.status}`))

const next = () => fixture.clock.advance(1_000)

test('a customer goes through terms and form behind one link, is reviewed, and approved', async () => {
  const client = await fixture.organization(false)
  const { kybLink } = await startKyb(fixture.parts, { organizationId: client.organizationId })
  const link = fixture.bridge.links[0]!
  expect(new URL(kybLink).searchParams.get('redirect_uri')).toBe(link.kyc_link)
  expect(link).toMatchObject({ type: 'business', email: expect.stringMatching(/^kyb\+[0-9a-f-]{36}@weir\.example$/) })

  next()
  await fixture.deliver(fixture.bridge.verify(link.id, 'under_review', 'pending'))
  expect((await findOrganizationCustomer(fixture.parts, client.organizationId))?.kybStatus).toBe('submitted')
  // Approved, but the terms are not accepted yet, so no account can be opened.
  next()
  await fixture.deliver(fixture.bridge.verify(link.id, 'approved', 'pending'))
  expect((await findOrganizationCustomer(fixture.parts, client.organizationId))?.kybStatus).toBe('submitted')
  next()
  fixture.bridge.verify(link.id, 'approved')
  // That message was lost; the customer requests a check.
  expect((await checkKyb(fixture.parts, client.organizationId))?.kybStatus).toBe('approved')
  expect(await told(client.organizationId)).toEqual(['customer.approved'])
})

test('a declined customer that starts again keeps its link and can be approved', async () => {
  const client = await fixture.organization(false)
  await startKyb(fixture.parts, { organizationId: client.organizationId })
  const { id } = fixture.bridge.links[0]!
  next()
  await fixture.deliver(fixture.bridge.verify(id, 'rejected'))
  const links = fixture.bridge.links.length
  expect(await startKyb(fixture.parts, { organizationId: client.organizationId })).toMatchObject({
    kybStatus: 'pending',
    kybReference: id,
  })
  expect(fixture.bridge.links).toHaveLength(links)
  next()
  await fixture.deliver(fixture.bridge.verify(id, 'rejected'))
  next()
  // The partner reviews again on its own.
  await fixture.deliver(fixture.bridge.verify(id, 'approved'))
  expect(await told(client.organizationId)).toEqual(['customer.declined', 'customer.declined', 'customer.approved'])
})

test('a declined customer that starts again stays pending until the partner shows or says something new', async () => {
  const client = await fixture.organization(false)
  const { organizationId } = client
  const stored = async () => (await findOrganizationCustomer(fixture.parts, organizationId))?.kybStatus
  await startKyb(fixture.parts, { organizationId })
  const { id } = fixture.bridge.links[0]!
  next()
  const late = fixture.bridge.verify(id, 'rejected')
  await fixture.poll()
  await startKyb(fixture.parts, { organizationId })

  // The partner still shows the old decision, and its message arrives late.
  await fixture.poll()
  expect((await checkKyb(fixture.parts, organizationId))?.kybStatus).toBe('pending')
  await fixture.deliver(late)
  expect(await stored()).toBe('pending')
  expect(await told(organizationId)).toEqual(['customer.declined'])

  next()
  fixture.bridge.verify(id, 'incomplete')
  await fixture.poll()
  next()
  fixture.bridge.verify(id, 'rejected')
  await fixture.poll()
  expect(await stored()).toBe('declined')
  expect(await told(organizationId)).toEqual(['customer.declined', 'customer.declined'])
})

test('a payment in is delivered; the fees are what the partner took, to the cent, and the record has the hash', async () => {
  const client = await fixture.organization()
  const account = await client.onramp()
  const made = fixture.bridge.virtualAccounts[0]!
  expect(account).toMatchObject({
    providerReference: made.id,
    bankName: 'Lead Bank',
    routingNumber: '101019644',
    capabilities: ['ach', 'fedwire'],
  })
  expect(account.accountNumber).toMatch(/^9[0-9]{9}$/)
  expect(made).toMatchObject({
    destination: { payment_rail: 'base', currency: 'usdc', address: client.wallet.address },
    developer_fee_percent: '0.05',
  })

  const act = (type: string, more: Record<string, unknown>) => {
    next()
    return fixture.deliver(fixture.bridge.advanceDeposit(made.id, 'deposit-1', type, more))
  }
  await act('funds_scheduled', { amount: '123.45' })
  expect(await client.transactions()).toEqual([])
  await act('funds_received', { amount: '123.45', subtotal_amount: '123.45' })
  expect(await client.transactions()).toMatchObject([
    { status: 'processing', usdCents: 123_45n, paymentRail: 'ach', paymentReference: '091000019000001' },
  ])
  const priced = { amount: '120.0', subtotal_amount: '120.0', developer_fee_amount: '1.25', exchange_fee_amount: '2.2' }
  await act('payment_submitted', { ...priced, destination_tx_hash: '0xaa' })
  await act('payment_processed', { ...priced, destination_tx_hash: '0xbb' })
  const [done] = await client.transactions()
  expect(done).toMatchObject({
    status: 'completed',
    usdCents: 123_45n,
    feeCents: 3_45n,
    developerFeeCents: 1_25n,
    tokenAmount: 120_000_000n,
    txHash: '0xbb',
  })
  const steps = ['pending', 'processing', 'in_progress', 'broadcasted', 'completed']
  expect(done!.statusHistory.map(({ status }) => status)).toEqual(steps)
  expect((await told(client.organizationId)).slice(1)).toEqual([
    ...steps.map((status) => `transaction.updated ${status}`),
    'transaction.completed completed',
  ])
  await expectValidFiatLedger(fixture.parts)
})

test('a payment in with fractions of a cent adds up, and the fraction stays in the record', async () => {
  const client = await fixture.organization()
  await client.onramp()
  const { id } = fixture.bridge.virtualAccounts[0]!
  next()
  await fixture.deliver(
    fixture.bridge.advanceDeposit(id, 'fine', 'funds_received', { amount: '10.01', subtotal_amount: '10.01' }),
  )
  next()
  const fine = { amount: '10.004995', subtotal_amount: '10.004995', developer_fee_amount: '0.005005' }
  await fixture.deliver(
    fixture.bridge.advanceDeposit(id, 'fine', 'payment_processed', { ...fine, destination_tx_hash: '0xcc' }),
  )
  expect(await client.transactions()).toMatchObject([
    { usdCents: 10_01n, feeCents: 1n, developerFeeCents: 1n, tokenAmount: 10_004_995n, dust: 4_995n },
  ])
  await expectValidFiatLedger(fixture.parts)
})

test.each(['refunded', 'refund'])('a payment in that is %s has failed, and the ledger is balanced', async (ended) => {
  const client = await fixture.organization()
  await client.onramp()
  const { id } = fixture.bridge.virtualAccounts[0]!
  for (const type of ['in_review', ended]) {
    next()
    await fixture.deliver(
      fixture.bridge.advanceDeposit(id, `sent-back-${ended}`, type, { amount: '50.00', subtotal_amount: '50.00' }),
    )
  }
  const [failed] = await client.transactions()
  expect(failed).toMatchObject({ status: 'failed', failureReason: 'payment_refunded' })
  await expectValidFiatLedger(fixture.parts)
})

test('tokens at the deposit address are paid out: whole cents, the remainder as dust, and the difference as fee', async () => {
  const client = await fixture.organization()
  const account = await client.offramp()
  const made = fixture.bridge.liquidationAddresses[0]!
  expect(account.depositAddress?.toLowerCase()).toBe(String(made.address))
  expect(made).toMatchObject({
    chain: 'base',
    currency: 'usdc',
    destination_payment_rail: 'ach',
    return_address: client.wallet.address,
    custom_developer_fee_percent: '0.05',
  })
  expect(fixture.bridge.externalAccounts[0]).toMatchObject({
    account_owner_name: 'Basalt Payments',
    account_type: 'us',
  })

  const drain = (state: string, more: Record<string, unknown> = {}) => {
    next()
    return fixture.deliver(fixture.bridge.drain(made.id, 'drain-1', state, { amount: '100.256789', ...more }))
  }
  await drain('funds_received')
  expect(await client.transactions()).toMatchObject([{ status: 'processing', usdCents: 100_25n, dust: 6_789n }])
  const receipt = {
    initial_amount: '100.256789',
    developer_fee: '0.05',
    exchange_rate: '1.000000',
    outgoing_amount: '100.02',
  }
  await drain('payment_submitted', { receipt })
  await drain('payment_processed', { receipt })
  const [done] = await client.transactions()
  expect(done).toMatchObject({
    status: 'completed',
    usdCents: 100_25n,
    feeCents: 23n,
    developerFeeCents: 5n,
    tokenAmount: 100_256_789n,
    exchangeRate: '1.000000',
    txHash: fixture.bridge.drains[0]!.deposit_tx_hash,
  })
  // Three days later the bank returns it, and the partner returns the tokens.
  fixture.clock.advance(3 * 86_400_000)
  await drain('returned', { receipt })
  await drain('refunded', { receipt, refund_tx_hash: '0xdd' })
  expect(await client.transactions()).toMatchObject([
    { status: 'reversed', failureReason: 'payment_refunded', returnTxHash: '0xdd' },
  ])
  await expectValidFiatLedger(fixture.parts)
})

test.each(['undeliverable', 'canceled', 'returned'])(
  'a payment out that is %s before it arrived has failed',
  async (state) => {
    const client = await fixture.organization()
    await client.offramp()
    const { id } = fixture.bridge.liquidationAddresses[0]!
    for (const one of ['funds_received', 'payment_submitted', state]) {
      next()
      await fixture.deliver(fixture.bridge.drain(id, `drain-${state}`, one, { amount: '5.00' }))
    }
    expect(await client.transactions()).toMatchObject([{ status: 'failed', failureReason: `payment_${state}` }])
    await expectValidFiatLedger(fixture.parts)
  },
)

test('a refusal of the partner is reported in Weir’s words, without account numbers', async () => {
  const client = await fixture.organization()
  await client.offramp()
  await expect(client.offramp()).rejects.toMatchObject({ code: 'CONFLICT' })
  fixture.bridge.verify(fixture.bridge.links[0]!.id, 'paused')
  await expect(client.onramp()).rejects.toMatchObject({ code: 'KYB_NOT_APPROVED' })
  const intents = await fixture.parts.db.selectFrom('ramp_bridge_intents').selectAll().execute()
  expect(JSON.stringify(intents)).not.toContain('987654321')
})

test('recipients are people or businesses, each with its own link', async () => {
  const { organizationId } = await fixture.organization()
  const address = { street1: '1 Main Street', city: 'Springfield', country: 'US' }
  const recipient = (name: string, type: string) =>
    createRecipient(fixture.parts, { organizationId, name, type, externalId: null, address })
  const [ada, twin] = [await recipient('Ada Lovelace', 'individual'), await recipient('Ada Lovelace', 'individual')]
  expect(ada.kybReference).not.toBe(twin.kybReference)
  expect(fixture.bridge.links[0]).toMatchObject({ full_name: 'Ada Lovelace', type: 'individual' })
})

test('an error that repeats the request does not reach the log', () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const refusal = new BridgeApiError(400, { code: 'invalid_parameters', message: 'account 000987654321 is unknown' })
  log.warn({ err: new Failure('RAMP_UNAVAILABLE', { cause: refusal }) }, 'told')
  log.warn({ err: refusal }, 'told')
  expect(lines.join('')).toContain('invalid_parameters')
  expect(lines.join('')).not.toContain('987654321')
})
