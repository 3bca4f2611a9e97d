import { expect, test } from 'vitest'
import { overlap } from '../../../testing/database/overlap.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { startBridgeFixture } from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'

const fixture = useFixture(startBridgeFixture)

/** A payout whose states the partner reports one by one; each message arrives only if a test delivers it. */
async function payout() {
  const client = await fixture.organization()
  await client.offramp()
  const { id } = fixture.bridge.liquidationAddresses[0]!
  const report = (state: string, more: Record<string, unknown> = {}) => {
    fixture.clock.advance(1_000)
    return fixture.bridge.drain(id, `drain-of-${id}`, state, { amount: '5.00', ...more })
  }
  const deliver = (state: string, more?: Record<string, unknown>) => fixture.deliver(report(state, more))
  return { client, report, deliver }
}

test('tokens returned for a reversed payout are recorded though the message that it had arrived was lost', async () => {
  const { client, report, deliver } = await payout()
  await deliver('payment_submitted')
  report('payment_processed')
  // Its message tells what the state was before.
  await deliver('returned')
  expect(await client.transactions()).toMatchObject([{ status: 'reversed', returnTxHash: null }])
  await deliver('refunded', { refund_tx_hash: '0xdd' })
  expect(await client.transactions()).toMatchObject([
    { status: 'reversed', failureReason: 'payment_refunded', returnTxHash: '0xdd' },
  ])
  // A repeated report returns nothing once more.
  await deliver('refunded', { refund_tx_hash: '0xdd' })
  await expectValidFiatLedger(fixture.parts)
})

test('tokens returned for a failed payout are recorded though it turned out afterwards that it had arrived', async () => {
  const { client, report, deliver } = await payout()
  await deliver('payment_submitted')
  const late = report('payment_processed')
  report('returned')
  // The list shows only that it came back.
  await fixture.poll()
  expect(await client.transactions()).toMatchObject([{ status: 'failed' }])
  await fixture.deliver(late)
  await deliver('refunded', { refund_tx_hash: '0xee' })
  expect(await client.transactions()).toMatchObject([
    { status: 'failed', failureReason: 'payment_refunded', returnTxHash: '0xee' },
  ])
  await expectValidFiatLedger(fixture.parts)
})

test('a return that the list shows while the message of the payout is being applied reverses it', async () => {
  const { client, report, deliver } = await payout()
  await deliver('payment_submitted')
  const [paid] = await fixture.parts.provider.readEvents(fixture.bridge.sign(report('payment_processed')))
  report('returned')
  const poll = overlap(fixture.parts.db, () => fixture.poll())
  expect(await poll.transact((tx) => applyProviderEvent(fixture.parts, tx, paid!))).toBe('applied')
  await poll.outcome()
  expect(await client.transactions()).toMatchObject([{ status: 'reversed', failureReason: 'payment_returned' }])
  await expectValidFiatLedger(fixture.parts)
})
