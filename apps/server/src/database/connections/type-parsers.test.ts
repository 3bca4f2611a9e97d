import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'

const database = useFixture(testDatabase)

async function read(expression: ReturnType<typeof sql>): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${expression} as value`.execute(database.db)
  return rows[0]?.value
}

test('the largest amount of any chain round-trips through a numeric column as the same bigint', async () => {
  const largest = 2n ** 256n - 1n
  expect(await read(sql`${largest}::numeric(78, 0)`)).toBe(largest)
  expect(await read(sql`${-largest}::numeric(78, 0)`)).toBe(-largest)
  expect(await read(sql`array[${largest}, null]::numeric(78, 0)[]`)).toEqual([largest, null])
  expect(await read(sql`${[largest, 0n]}::numeric[]`)).toEqual([largest, 0n])
})

test('sums of amounts are bigint, counts are numbers', async () => {
  expect(await read(sql`(select sum(n) from (values (1::numeric(78, 0)), (2)) as t (n))`)).toBe(3n)
  expect(await read(sql`(select count(*) from (values (1), (2)) as t (n))`)).toBe(2)
})

test('an int8 is read as a number, and one too large for a number is refused instead of rounded', async () => {
  expect(await read(sql`9007199254740991::int8`)).toBe(Number.MAX_SAFE_INTEGER)
  expect(await read(sql`'{1,2}'::int8[]`)).toEqual([1, 2])
  expect(await read(sql`'{}'::int8[]`)).toEqual([])
  await expect(read(sql`9007199254740992::int8`)).rejects.toThrow('does not fit a number')
})

test('a numeric with a fraction is refused instead of truncated', async () => {
  await expect(read(sql`1.5::numeric`)).rejects.toThrow('not a whole number')
  await expect(read(sql`'NaN'::numeric`)).rejects.toThrow('not a whole number')
})

test('a date stays text in any time zone, and a timestamp is a Date with its milliseconds', async () => {
  const instant = new Date('2026-03-29T01:30:00.123Z')
  expect(await read(sql`'2026-03-29'::date`)).toBe('2026-03-29')
  expect(await read(sql`${instant}::timestamptz`)).toEqual(instant)
})

test('JSON is read parsed, and bytes as a Buffer', async () => {
  expect(await read(sql`${'{"a": [1]}'}::jsonb`)).toEqual({ a: [1] })
  expect(await read(sql`${Buffer.from('ff', 'hex')}::bytea`)).toEqual(Buffer.from('ff', 'hex'))
})

test('results of the bare pool are converted in the same way', async () => {
  const { rows } = await database.pool.query('select $1::numeric as amount, 5::int8 as id', [7n])
  expect(rows).toEqual([{ amount: 7n, id: 5 }])
})
