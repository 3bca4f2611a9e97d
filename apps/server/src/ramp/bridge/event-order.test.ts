import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import {
  type BridgeClient,
  type BridgeFixture,
  startBridgeFixture,
} from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import type { BridgeMessage } from '../../../testing/stand-ins/bridge/fake-bridge-state.ts'
import type { RampStatus } from '../../database/index.ts'

const SEED = Number(process.env.RAMP_SEED ?? 20_260_302)
const RUNS = Number(process.env.RAMP_RUNS ?? 60)

let fixture: BridgeFixture
let client: BridgeClient
beforeAll(async () => {
  fixture = await startBridgeFixture()
  client = await fixture.organization()
  await client.onramp()
  await client.offramp()
})
afterAll(() => fixture?.close())

/** Paths of a payment at the partner, and the status in which each ends here. */
const ONRAMP_PATHS: readonly [RampStatus, ...string[]][] = [
  ['pending', 'in_review'],
  ['processing', 'in_review', 'funds_received'],
  ['broadcasted', 'funds_received', 'payment_submitted'],
  ['completed', 'funds_received', 'payment_submitted', 'payment_processed'],
  ['completed', 'in_review', 'funds_received', 'payment_submitted', 'payment_processed'],
  ['failed', 'in_review', 'refunded'],
  ['failed', 'funds_received', 'refunded'],
  ['failed', 'funds_received', 'payment_submitted', 'refunded'],
]
const OFFRAMP_PATHS: readonly [RampStatus, ...string[]][] = [
  ['processing', 'in_review', 'funds_received'],
  ['in_progress', 'funds_received', 'payment_submitted'],
  ['completed', 'in_review', 'funds_received', 'payment_submitted', 'payment_processed'],
  ['failed', 'funds_received', 'undeliverable'],
  ['failed', 'in_review', 'canceled'],
  ['failed', 'funds_received', 'payment_submitted', 'returned'],
  ['reversed', 'funds_received', 'payment_submitted', 'payment_processed', 'returned'],
]

const scenarios = fc
  .constantFrom(
    ...ONRAMP_PATHS.map((path) => ['in', path] as const),
    ...OFFRAMP_PATHS.map((path) => ['out', path] as const),
  )
  .chain(([direction, path]) =>
    fc.record({
      direction: fc.constant(direction),
      path: fc.constant(path),
      /** Time between two steps; several may fall into one millisecond. */
      pauses: fc.array(fc.constantFrom(0, 1, 3_600_000), { minLength: path.length, maxLength: path.length }),
      /** Indexes of the messages that arrive: some twice, some never, in any order; the last one always arrives. */
      arrivals: fc
        .array(fc.nat(path.length - 2), { maxLength: path.length * 3 })
        .chain((some) => fc.shuffledSubarray([...some, path.length - 2], { minLength: some.length + 1 })),
      isAmended: fc.boolean(),
      cents: fc.bigInt({ min: 100n, max: 10_000_000_000n }),
      /** Millionths. */
      fees: fc.tuple(fc.bigInt({ min: 0n, max: 400_000n }), fc.bigInt({ min: 0n, max: 400_000n })),
      dust: fc.bigInt({ min: 0n, max: 9_999n }),
    }),
  )
type Generated = typeof scenarios extends fc.Arbitrary<infer T> ? T : never

const decimal = (millionths: bigint) =>
  `${millionths / 1_000_000n}.${(millionths % 1_000_000n).toString().padStart(6, '0')}`

function reportFromBridge(
  { direction, path, pauses, isAmended, cents, fees, dust }: Generated,
  subject: string,
): BridgeMessage[] {
  const [, ...steps] = path
  const [developer, exchange] = fees
  const whole = cents * 10_000n
  const messages = steps.map((step, index) => {
    fixture.clock.advance(pauses[index]!)
    if (direction === 'out') {
      const receipt = { initial_amount: decimal(whole + dust), developer_fee: decimal(developer) }
      const outgoing = { outgoing_amount: decimal(((whole - developer - exchange) / 10_000n) * 10_000n) }
      const isPriced = index > 1
      return fixture.bridge.drain(fixture.bridge.liquidationAddresses[0]!.id, subject, step, {
        amount: decimal(whole + dust),
        ...(isPriced && { receipt: { ...receipt, ...outgoing } }),
      })
    }
    const isPriced = step.startsWith('payment_')
    const amount = decimal(isPriced ? whole - developer - exchange : whole)
    return fixture.bridge.advanceDeposit(fixture.bridge.virtualAccounts[0]!.id, subject, step, {
      amount,
      subtotal_amount: amount,
      ...(isPriced && { developer_fee_amount: decimal(developer), exchange_fee_amount: decimal(exchange) }),
    })
  })
  if (direction === 'in' && isAmended) {
    fixture.clock.advance(1)
    messages.push(
      fixture.bridge.amend(messages[0]!.event_object.id, { source: { payment_rail: 'wire', imad: 'later' } }),
    )
  }
  return messages
}

const stateOf = async (subject: string) => {
  const { db } = fixture.parts
  const row = await db
    .selectFrom('ramp_transactions')
    .selectAll()
    .where('provider_reference', '=', subject)
    .executeTakeFirst()
  const outbox = await db
    .selectFrom('outbox')
    .select(['event', 'data'])
    .where('object_type', '=', 'ramp_transaction')
    .where('object_id', '=', row?.id ?? 0)
    .orderBy('id')
    .execute()
  return { row, events: outbox.map(({ event, data }) => `${event} ${data.status}`) }
}

test('messages in any order, duplicated or lost: the last one decides, each step is emitted once, cents add up', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const subject = randomUUID()
      const messages = reportFromBridge(scenario, subject)
      for (const index of scenario.arrivals) await fixture.deliver(messages[index]!)
      if (messages.length > scenario.path.length - 1) await fixture.deliver(messages.at(-1)!)
      const { row, events } = await stateOf(subject)
      expect(row?.status).toBe(scenario.path[0])
      expect(row?.usd_cents).toBe(scenario.cents)
      const history = row!.status_history.map(({ status }) => status)
      expect(new Set(history).size).toBe(history.length)
      expect(events.filter((line) => line.includes('.updated '))).toHaveLength(history.length)
      // All of them again, and the lists read: nothing changes, and nothing is emitted twice.
      for (const message of messages) await fixture.deliver(message)
      const after = await stateOf(subject)
      expect(after.row?.status).toBe(scenario.path[0])
      expect(after.events).toEqual(events)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  await expectValidFiatLedger(fixture.parts)
})

test('without any message, the partner’s lists lead to its last status', async () => {
  const ends = new Map<string, RampStatus>()
  const numRuns = Math.ceil(RUNS / 2)
  for (const scenario of fc.sample(scenarios, { seed: SEED, numRuns })) {
    const subject = randomUUID()
    reportFromBridge(scenario, subject)
    ends.set(subject, scenario.path[0])
  }
  await fixture.poll()
  for (const [subject, status] of ends) {
    const { row } = await stateOf(subject)
    // For a returned payout, the list does not show whether it had arrived.
    expect(row?.status === 'failed' && status === 'reversed' ? 'reversed' : row?.status).toBe(status)
  }
  await expectValidFiatLedger(fixture.parts)
})
