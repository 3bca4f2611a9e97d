import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { openRampDatabase, type RampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { transferEvent } from '../../../testing/ramp/transfer-event.ts'
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
function pathsOf(direction: RampDirection): RampStatus[][] {
  const after = (state: RampState): RampStatus[][] => {
    const next = RAMP_TRANSACTIONS[direction].transitions.filter((step) => step.from === state)
    return [[], ...next.flatMap(({ to }) => after(to).map((rest) => [to, ...rest]))]
  }
  return after('new').filter((path) => path.length > 0)
}

interface EventSequence {
  readonly direction: RampDirection
  readonly path: readonly RampStatus[]
  /** Indexes of the events that arrive: some twice, some never, in any order; the last one always arrives. */
  readonly arrivals: readonly number[]
  readonly usdCents: bigint
  readonly feeBasisPoints: number
}

const eventSequences = fc.constantFrom<RampDirection>('onramp', 'offramp').chain((direction) =>
  fc.constantFrom(...pathsOf(direction)).chain((path) =>
    fc.record({
      direction: fc.constant(direction),
      path: fc.constant(path),
      arrivals: fc
        .array(fc.nat(path.length - 1), { maxLength: path.length * 3 })
        .chain((some) => fc.shuffledSubarray([...some, path.length - 1], { minLength: some.length + 1 })),
      usdCents: fc.bigInt({ min: 1n, max: 10_000_000_000n }),
      feeBasisPoints: fc.nat(10_000),
    }),
  ),
)

let runs = 0
const eventsOf = ({ direction, path, usdCents, feeBasisPoints }: EventSequence): TransferEvent[] => {
  runs += 1
  const subject = `transfer-${runs}`
  const dust = direction === 'offramp' ? usdCents % 10_000n : 0n
  const accountReference = accounts[direction]
  return path.map((status, index) => {
    const more = { dust, txHash: index > 2 ? `0x${runs}` : null }
    // A provider's sequence numbers increase, with gaps.
    const sequence = 10 + index * 7
    return transferEvent({ direction, accountReference, subject, sequence, status, usdCents, feeBasisPoints, more })
  })
}

test('events in any order, duplicated or lost: the last one decides, each transition is emitted once, every cent is posted', async () => {
  await fc.assert(
    fc.asyncProperty(eventSequences, async (generated) => {
      const events = eventsOf(generated)
      const subject = events[0]!.subject
      for (const index of generated.arrivals)
        await inTransaction(fixture.parts.db, (tx) => applyProviderEvent(fixture.parts, tx, events[index]!))
      // All of them once more, as after a restore: nothing changes.
      const before = await stateOf(subject)
      for (const index of generated.arrivals)
        await inTransaction(fixture.parts.db, (tx) => applyProviderEvent(fixture.parts, tx, events[index]!))
      expect(await stateOf(subject)).toEqual(before)

      const { row, outbox, entries } = before
      const [prefix] = [generated.direction === 'onramp' ? 'transaction' : 'offramp_transaction']
      expect(row.status).toBe(generated.path.at(-1))
      const history = row.status_history.map(({ status }) => status)
      expect(new Set(history).size).toBe(history.length)
      expect(outbox.filter((line) => line.startsWith(`${prefix}.updated`))).toEqual(
        history.map((status) => `${prefix}.updated ${status}`),
      )
      for (const [index, status] of history.entries()) {
        const from = index === 0 ? 'new' : history[index - 1]!
        const step = RAMP_TRANSACTIONS[generated.direction].find(from, status)
        expect(step, `${from} → ${status}`).toBeDefined()
        const others = outbox.filter((line) => line.endsWith(` ${status}`) && !line.includes('.updated '))
        expect(others).toEqual(step!.emits ? [`${prefix}.${step!.emits} ${status}`] : [])
      }
      expect(new Set(entries).size).toBe(entries.length)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  await expectValidFiatLedger(fixture.parts)
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
