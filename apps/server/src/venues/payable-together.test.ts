import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import {
  addReadings,
  OWNERS_READINGS,
  payableTogether,
  readingsOf,
  type StoredReadings,
  storedReadings,
} from './payable-together.ts'

const store = useStore()

const vault = (liquidity: bigint | null) => ({ protocol: 'erc4626', liquidity })
const pool = (liquidity: bigint | null) => ({ protocol: 'aave-v3', liquidity })
/** Owners who could each withdraw all of this. */
const whole = (...values: bigint[]) => readingsOf(values.map((value) => ({ value, withdrawable: value })))
const both = (amount: bigint) => ({ certain: amount, possible: amount })

test('positions in one pool never count its liquidity twice', () => {
  expect(payableTogether(whole(30n, 30n, 10n), pool(30n))).toEqual(both(30n))
  expect(payableTogether(whole(30n, 30n), pool(100n))).toEqual(both(60n))
  expect(payableTogether(whole(), pool(100n))).toEqual(both(0n))
  expect(payableTogether(whole(30n, 30n), vault(30n))).toEqual(both(30n))
})

test('readings of parts add up to those of all positions', () => {
  const amount = fc.bigInt({ min: 0n, max: 200n })
  const positions = fc.array(fc.record({ value: amount, withdrawable: amount }), { maxLength: 8 })
  fc.assert(
    fc.property(positions, positions, (some, others) => {
      expect(addReadings(readingsOf(some), readingsOf(others))).toEqual(readingsOf([...some, ...others]))
    }),
  )
})

test('one position can withdraw what its reading says, whatever the pool showed earlier', () => {
  expect(payableTogether(whole(30n), pool(null))).toEqual(both(30n))
  expect(payableTogether(whole(30n), vault(null))).toEqual(both(30n))
})

test('a vault that does not report its liquidity certainly pays the largest reading, and perhaps their sum', () => {
  expect(payableTogether(whole(30n, 20n), vault(null))).toEqual({ certain: 30n, possible: 50n })
  expect(payableTogether(whole(30n, 20n), vault(45n)), 'reported').toEqual(both(45n))
  expect(payableTogether(whole(30n, 20n), vault(1_000n))).toEqual(both(50n))
  expect(payableTogether(whole(30n, 20n), pool(null))).toEqual({ certain: 30n, possible: 50n })
})

test('an owner whose part is limited shows what a vault pays, unless another could withdraw more', () => {
  const limited = readingsOf([
    { value: 100n, withdrawable: 40n },
    { value: 100n, withdrawable: 40n },
    { value: 20n, withdrawable: 20n },
  ])
  expect(payableTogether(limited, vault(null))).toEqual(both(40n))
  const locked = readingsOf([
    { value: 100n, withdrawable: 0n },
    { value: 50n, withdrawable: 50n },
  ])
  expect(payableTogether({ ...locked, sum: 150n, owners: 3 }, vault(null))).toEqual({ certain: 50n, possible: 150n })
  const earned = readingsOf([
    { value: 10_001n, withdrawable: 10_000n },
    { value: 10_001n, withdrawable: 10_000n },
  ])
  expect(payableTogether(earned, vault(null)), 'interest since the reading').toEqual({
    certain: 10_000n,
    possible: 20_000n,
  })
})

test('the database sums readings as the code does, and leaves out what was not read', async () => {
  const amount = fc.bigInt({ min: 0n, max: 200n })
  const positions = fc.array(fc.record({ value: amount, withdrawable: fc.option(amount) }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(positions, async (found) => {
      const { rows } = await sql<{ readings: StoredReadings }>`
        select ${OWNERS_READINGS} as readings from unnest(
          ${found.map(({ value }) => value)}::numeric[], ${found.map(({ withdrawable }) => withdrawable)}::numeric[]
        ) as positions (value, withdrawable)`.execute(store.db)
      const read = found.flatMap(({ value, withdrawable }) => (withdrawable === null ? [] : [{ value, withdrawable }]))
      expect(storedReadings(rows[0]!.readings)).toEqual(readingsOf(read))
    }),
    { numRuns: 50 },
  )
})
