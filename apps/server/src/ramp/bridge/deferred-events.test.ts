import { expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { startBridgeFixture } from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { createSealer, systemRandomSource } from '../../kernel/index.ts'
import { CHAIN_NOT_CONFIGURED } from './ignored-events.ts'

const { log, lines, take } = loggedLines()
const fixture = useFixture(() => startBridgeFixture({ log }))

const next = () => fixture.clock.advance(1_000)
const paid = { amount: '25.00', subtotal_amount: '25.00' }

/** Runs `work` while the chain of every account is not configured. */
async function withoutChains(work: () => Promise<void>): Promise<void> {
  const chains = fixture.parts.chains as Map<string, unknown>
  const configured = [...chains]
  chains.clear()
  await work()
  for (const [name, chain] of configured) chains.set(name, chain)
}

const deferred = () =>
  fixture.parts.db
    .selectFrom('ramp_bridge_ignored_events')
    .selectAll()
    .where('reason', '=', CHAIN_NOT_CONFIGURED)
    .execute()

test('a payment whose chain is not configured waits until it is, below any number of newer entries', async () => {
  const client = await fixture.organization()
  await client.onramp()
  const account = fixture.bridge.virtualAccounts[0]!
  const foreign = { ...account, id: 'of-another-client' }
  fixture.bridge.virtualAccounts.push(foreign)
  await withoutChains(async () => {
    next()
    const source = { payment_rail: 'wire', imad: 'IMAD-7' }
    fixture.bridge.advanceDeposit(account.id, 'waiting', 'funds_received', { ...paid, source })
    await fixture.poll()
    for (let deposit = 0; deposit < 110; deposit += 1) {
      next()
      fixture.bridge.advanceDeposit(foreign.id, `newer-${deposit}`, 'funds_received', paid)
    }
    await fixture.poll()
    await fixture.poll()
  })
  expect(await client.transactions()).toEqual([])
  await fixture.poll()
  const [payment] = await client.transactions()
  expect(payment).toMatchObject({ status: 'processing', paymentReference: 'IMAD-7' })
  expect(await deferred()).toEqual([])
  next()
  fixture.bridge.advanceDeposit(account.id, 'waiting', 'payment_processed', paid)
  await fixture.poll()
  expect((await client.transactions()).map(({ status }) => status)).toEqual(['completed'])
  await expectValidFiatLedger(fixture.parts)
})

test('a payout whose chain is not configured for long passes through every state that was listed meanwhile', async () => {
  const client = await fixture.organization()
  await client.offramp()
  const address = fixture.bridge.liquidationAddresses[0]!
  const states = ['funds_received', 'payment_submitted', 'payment_processed', 'returned']
  await withoutChains(async () => {
    for (const state of states) {
      fixture.clock.advance(2 * 86_400_000)
      fixture.bridge.drain(address.id, 'long', state, { amount: '7.00' })
      await fixture.poll()
    }
    fixture.clock.advance(30 * 86_400_000)
    await fixture.poll()
  })
  expect(await client.transactions()).toEqual([])
  await fixture.poll()
  expect((await client.transactions()).map(({ status }) => status)).toEqual(['reversed'])
  expect(await deferred()).toEqual([])
  await expectValidFiatLedger(fixture.parts)
})

test('an entry that waits for its chain names nobody, and one that cannot be opened stops no other account', async () => {
  const [one, other] = [await fixture.organization(), await fixture.organization()]
  await one.onramp()
  await other.onramp()
  await withoutChains(async () => {
    next()
    const source = { payment_rail: 'ach_push', trace_number: 'TRACE-7', sender_name: 'Erika Mustermann' }
    for (const { id } of fixture.bridge.virtualAccounts.slice(0, 2))
      fixture.bridge.advanceDeposit(id, `to ${id}`, 'funds_received', { ...paid, source })
    await fixture.poll()
  })
  const sealer = createSealer('5e'.repeat(32), 'ramp bridge events', systemRandomSource)
  const bodies = (await deferred()).map(({ event_id: id, body }) => sealer.open(body, `bridge event ${id}`))
  expect(bodies).toHaveLength(2)
  for (const body of bodies) {
    expect(body).toContain('TRACE-7')
    expect(body).not.toContain('Erika')
  }
  const [first] = await deferred()
  const damage = (body: Buffer) =>
    fixture.parts.db
      .updateTable('ramp_bridge_ignored_events')
      .set({ body })
      .where('event_id', '=', first!.event_id)
      .execute()
  await damage(Buffer.from('damaged'))
  const count = async () => (await one.transactions()).length + (await other.transactions()).length
  await fixture.poll()
  expect(await count()).toBe(1)
  await damage(first!.body)
  await fixture.poll()
  expect(await count()).toBe(2)
})

test('an entry that cannot be opened waits, and stops no later entry of its account', async () => {
  const client = await fixture.organization()
  await client.onramp()
  const { id } = fixture.bridge.virtualAccounts[0]!
  await withoutChains(async () => {
    for (const deposit of ['damaged', 'intact', 'later']) {
      next()
      fixture.bridge.advanceDeposit(id, `${deposit} ${id}`, 'funds_received', paid)
      await fixture.poll()
    }
  })
  const { db } = fixture.parts
  const waiting = await deferred()
  expect(waiting).toHaveLength(3)
  const [first] = waiting.toSorted((one, another) => one.received_at.getTime() - another.received_at.getTime())
  const set = (body: Buffer) =>
    db.updateTable('ramp_bridge_ignored_events').set({ body }).where('event_id', '=', first!.event_id).execute()
  await set(Buffer.from('damaged'))
  await fixture.poll()
  expect(await client.transactions()).toHaveLength(2)
  expect(await deferred()).toMatchObject([{ event_id: first!.event_id }])
  await set(first!.body)
  await fixture.poll()
  expect(await client.transactions()).toHaveLength(3)
})

test('payments that fail in every round are logged once for their account, and once when they are applied', async () => {
  const client = await fixture.organization()
  const { accountId } = await client.onramp()
  const { id } = fixture.bridge.virtualAccounts[0]!
  await withoutChains(async () => {
    next()
    fixture.bridge.advanceDeposit(id, `failing ${id}`, 'funds_received', paid)
    await fixture.poll()
  })
  const repair = await breakRows(fixture.parts.db, {
    table: 'ramp_transactions',
    when: `new.account_id = ${accountId}`,
  })
  take()
  for (let rounds = 0; rounds < 3; rounds += 1) await fixture.poll()
  expect(lines).toMatchObject([{ level: 50, msg: 'failed to apply payments that the banking partner lists; retrying' }])
  take()
  await repair()
  await fixture.poll()
  expect(lines).toMatchObject([{ failures: 3, msg: 'payments that the banking partner lists are applied again' }])
})
