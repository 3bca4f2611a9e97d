import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFiatBooks } from '../../../testing/expect-fiat.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp-database.ts'
import { transferEvent } from '../../../testing/transfer-event.ts'
import { inTransaction, type RampDirection, type RampStatus } from '../../database/index.ts'
import type { TransferEvent } from '../provider/port.ts'
import { RAMP_TRANSACTIONS, type RampState } from '../transactions/ramp-transaction-states.ts'
import { applyProviderEvent } from './apply-provider-event.ts'

let fixture: RampDatabase
let accounts: Record<RampDirection, string>
beforeAll(async () => {
  fixture = await openRampDatabase()
  const client = await fixture.organization()
  const [onramp, offramp] = [await client.onramp(), await client.offramp()]
  accounts = { onramp: onramp.providerReference, offramp: offramp.providerReference }
})
afterAll(() => fixture?.close())

const SEED = Number(process.env.RAMP_SEED ?? 20_260_301)
const RUNS = Number(process.env.RAMP_RUNS ?? 100)

/** Every path through the state machine, as the provider reports it: each status once, in order. */
function waysOf(direction: RampDirection): RampStatus[][] {
  const after = (state: RampState): RampStatus[][] => {
    const next = RAMP_TRANSACTIONS[direction].transitions.filter((step) => step.from === state)
    return [[], ...next.flatMap(({ to }) => after(to).map((rest) => [to, ...rest]))]
  }
  return after('new').filter((way) => way.length > 0)
}

interface Told {
  readonly direction: RampDirection
  readonly way: readonly RampStatus[]
  /** Indexes of the events that arrive: some twice, some never, in any order; the last one always arrives. */
  readonly coming: readonly number[]
  readonly usdCents: bigint
  readonly feeBasisPoints: number
}

const told = fc.constantFrom<RampDirection>('onramp', 'offramp').chain((direction) =>
  fc.constantFrom(...waysOf(direction)).chain((way) =>
    fc.record({
      direction: fc.constant(direction),
      way: fc.constant(way),
      coming: fc
        .array(fc.nat(way.length - 1), { maxLength: way.length * 3 })
        .chain((some) => fc.shuffledSubarray([...some, way.length - 1], { minLength: some.length + 1 })),
      usdCents: fc.bigInt({ min: 1n, max: 10_000_000_000n }),
      feeBasisPoints: fc.nat(10_000),
    }),
  ),
)

let runs = 0
const eventsOf = ({ direction, way, usdCents, feeBasisPoints }: Told): TransferEvent[] => {
  runs += 1
  const subject = `told-${runs}`
  const dust = direction === 'offramp' ? usdCents % 10_000n : 0n
  const accountReference = accounts[direction]
  return way.map((status, place) => {
    const more = { dust, txHash: place > 2 ? `0x${runs}` : null }
    // A provider's sequence numbers increase, with gaps.
    const sequence = 10 + place * 7
    return transferEvent({ direction, accountReference, subject, sequence, status, usdCents, feeBasisPoints, more })
  })
}

test('events in any order, doubled or lost: the last one decides, each transition is emitted once, every cent is booked', async () => {
  await fc.assert(
    fc.asyncProperty(told, async (asked) => {
      const events = eventsOf(asked)
      const subject = events[0]!.subject
      for (const place of asked.coming)
        await inTransaction(fixture.parts.db, (tx) => applyProviderEvent(fixture.parts, tx, events[place]!))
      // All of them once more, as after a restore: nothing changes.
      const before = await stateOf(subject)
      for (const place of asked.coming)
        await inTransaction(fixture.parts.db, (tx) => applyProviderEvent(fixture.parts, tx, events[place]!))
      expect(await stateOf(subject)).toEqual(before)

      const { row, outbox, entries } = before
      const [prefix] = [asked.direction === 'onramp' ? 'transaction' : 'offramp_transaction']
      expect(row.status).toBe(asked.way.at(-1))
      const history = row.status_history.map(({ status }) => status)
      expect(new Set(history).size).toBe(history.length)
      expect(outbox.filter((line) => line.startsWith(`${prefix}.updated`))).toEqual(
        history.map((status) => `${prefix}.updated ${status}`),
      )
      for (const [index, status] of history.entries()) {
        const from = index === 0 ? 'new' : history[index - 1]!
        const step = RAMP_TRANSACTIONS[asked.direction].find(from, status)
        expect(step, `${from} → ${status}`).toBeDefined()
        const others = outbox.filter((line) => line.endsWith(` ${status}`) && !line.includes('.updated '))
        expect(others).toEqual(step!.emits ? [`${prefix}.${step!.emits} ${status}`] : [])
      }
      expect(new Set(entries).size).toBe(entries.length)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  await expectFiatBooks(fixture.parts)
})

async function stateOf(subject: string) {
  const { db } = fixture.parts
  const row = await db
    .selectFrom('ramp_transactions')
    .selectAll()
    .where('provider_reference', '=', subject)
    .executeTakeFirstOrThrow()
  const outbox = await db
    .selectFrom('outbox')
    .select(['event', 'data'])
    .where('object_type', '=', 'ramp_transaction')
    .where('object_id', '=', row.id)
    .orderBy('id')
    .execute()
  const entries = await db.selectFrom('fiat_entries').select('kind').where('transaction_id', '=', row.id).execute()
  return {
    row,
    outbox: outbox.map(({ event, data }) => `${event} ${data.status}`),
    entries: entries.map(({ kind }) => kind),
  }
}
