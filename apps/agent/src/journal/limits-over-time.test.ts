import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { liveAllowList } from '@weir/verify'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { exceededLimit, type Move, parseLimits } from '../limits/index.ts'
import { openJournal, type SignedTransaction } from './index.ts'

const root = mkdtempSync(join(tmpdir(), 'weir-limits-'))
afterAll(() => rmSync(root, { recursive: true }))

const HOUR = 3_600_000
const CAPS = { hour: 60n, day: 100n, venue: 70n, fees: 40n }
const limits = parseLimits(
  {
    version: 1,
    amounts: [
      { token: 'USDC', perHour: '0.00006', perDay: '0.0001' },
      { token: 'USDC', each: 'venue', perDay: '0.00007' },
    ],
    fees: [{ blockchain: 'base', perDay: String(CAPS.fees) }],
  },
  liveAllowList,
)

/** Short enough that two landings share a window, or long enough that a window passes. */
const ms = fc.oneof(fc.integer({ min: 1, max: HOUR / 4 }), fc.integer({ min: HOUR, max: 30 * HOUR }))
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('move' as const),
      amount: fc.bigInt(20n, 60n),
      fee: fc.bigInt(0n, 15n),
      venue: fc.constantFrom('Fluid USDC', 'Aave V3 USDC'),
      nonce: fc.nat(9),
      /** How far the agent gets before it crashes or goes on. */
      until: fc.constantFrom('reserved', 'signer-refused', 'signed', 'signed', 'signed', 'signed'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('land' as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('notice' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('crash' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), ms }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('clock-back' as const), ms }) },
)

interface Bytes {
  readonly entry: SignedTransaction
  readonly move: Move
  landedAt?: number
  noticed?: boolean
}

/** The chain: at most one transaction per nonce lands, and the others of that nonce are then dead. */
const sameNonce = (one: Bytes) => (other: Bytes) => other.entry.nonce === one.entry.nonce

test('what lands in any hour or day never exceeds a limit, with crashes and a clock that is set back', () => {
  let folders = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const dir = join(root, String(++folders))
      let [time, offset, hashes] = [Date.parse('2026-05-05T12:00:00Z'), 0, 0]
      const clock = { now: () => new Date(time + offset) }
      let journal = openJournal(dir, clock)
      const all: Bytes[] = []
      const open = (which: number) => {
        const list = all.filter(
          (one) => one.landedAt === undefined && !all.some((o) => sameNonce(one)(o) && o.landedAt),
        )
        return list[which % Math.max(list.length, 1)]
      }
      for (const one of steps) {
        switch (one.does) {
          case 'move': {
            if (all.some(({ entry, landedAt }) => entry.nonce === one.nonce && landedAt !== undefined)) break
            const { amount, fee, venue, nonce } = one
            const move: Move = { blockchain: 'base', token: 'USDC', wallet: '0xme', does: 'supply', amount, fee, venue }
            const reservation = { transactionId: nonce, key: `${nonce} ${venue}`, move }
            const now = clock.now().getTime()
            if (journal.reserve(reservation, (counted) => exceededLimit(limits, move, counted, now)) !== undefined)
              break
            if (one.until === 'signer-refused') journal.release(reservation)
            if (one.until !== 'signed') break
            const entry = {
              transactionId: nonce,
              operationId: 1,
              hash: `h${++hashes}`,
              nonce,
              reservation: reservation.key,
            }
            journal.recordSigned(entry as SignedTransaction)
            all.push({ entry: entry as SignedTransaction, move })
            break
          }
          case 'land': {
            const bytes = open(one.which)
            if (bytes) bytes.landedAt = time
            break
          }
          case 'notice': {
            const landed = all.filter(({ landedAt, noticed }) => landedAt !== undefined && !noticed)
            const bytes = landed[one.which % Math.max(landed.length, 1)]
            if (bytes === undefined) break
            for (const other of all.filter(sameNonce(bytes))) {
              other.noticed = true
              journal.recordOutcome(other.entry, other === bytes ? 'final' : 'dead')
            }
            break
          }
          case 'crash':
            journal.close()
            journal = openJournal(dir, clock)
            break
          case 'wait':
            time += one.ms
            break
          case 'clock-back':
            // The machine's clock, not the chain's; it is never ahead.
            offset = Math.min(0, offset - one.ms)
            time += one.ms
        }
      }
      journal.close()
      const landed = all.filter(({ landedAt }) => landedAt !== undefined)
      for (const { landedAt: end } of landed) {
        const sum = (windowMs: number, of: (move: Move) => bigint) =>
          landed
            .filter(({ landedAt }) => landedAt! > end! - windowMs && landedAt! <= end!)
            .reduce((total, { move }) => total + of(move), 0n)
        const at = (venue: string) => (move: Move) => (move.venue === venue ? move.amount : 0n)
        expect(sum(HOUR, ({ amount }) => amount)).toBeLessThanOrEqual(CAPS.hour)
        expect(sum(24 * HOUR, ({ amount }) => amount)).toBeLessThanOrEqual(CAPS.day)
        expect(sum(24 * HOUR, at('Fluid USDC'))).toBeLessThanOrEqual(CAPS.venue)
        expect(sum(24 * HOUR, ({ fee }) => fee)).toBeLessThanOrEqual(CAPS.fees)
      }
    }),
    { numRuns: 100 },
  )
})
