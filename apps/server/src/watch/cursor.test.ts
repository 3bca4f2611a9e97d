// Also tested elsewhere: following with a cursor, and concurrent followers (follow-chain.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../testing/index.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import type { BlockRef } from '../chains/index.ts'
import { leasedDatabase } from '../database/queries/leased-database.ts'
import { deleteCursor, moveFinal, moveHead, placeCursor, readCursor } from './cursor.ts'

const database = useFixture(testDatabase)

const NOW = new Date('2026-01-01T00:00:00Z')
const block = (number: number): BlockRef => ({
  number,
  hash: `0x${number}`,
  parentHash: `0x${number - 1}`,
  time: new Date(NOW.getTime() + number * 1_000),
})
const place = (blockchain: string, number: number) =>
  placeCursor(database.db, { blockchain, genesisHash: '0xgenesis', at: block(number), now: NOW })
const read = (blockchain = 'polygon') => readCursor(database.db, blockchain)
const advance = (from: number, to: number) =>
  moveFinal(database.db, { blockchain: 'polygon', from, to: block(to), now: NOW })
const finalOf = async (blockchain?: string) => (await read(blockchain))?.final.number
const reference = (number: number) => ({ number, hash: `0x${number}` })

beforeEach(async () => {
  await place('polygon', 10)
  await place('base', 3)
})

test('a placed cursor starts at its block, and placing it again restarts there', async () => {
  const start = (number: number) => ({
    genesisHash: '0xgenesis',
    final: { ...reference(number), time: block(number).time },
    head: reference(number),
  })
  expect(await read()).toEqual(start(10))
  await advance(10, 11)
  await place('polygon', 5)
  expect(await read()).toEqual(start(5))
  expect(await finalOf('base')).toBe(3)
})

test('one of two followers that settled the same block advances the cursor', async () => {
  const moved = await Promise.all([advance(10, 11), advance(10, 11), advance(10, 11)])
  expect(moved.filter(Boolean)).toHaveLength(1)
  expect(await finalOf()).toBe(11)
})

test('a follower whose cursor was moved meanwhile does not move it', async () => {
  await place('polygon', 5)
  expect(await advance(10, 11)).toBe(false)
  expect(await finalOf()).toBe(5)
})

test('the head moves without the final block, and other chains keep theirs', async () => {
  await moveHead(database.db, 'polygon', reference(14))
  expect(await read()).toMatchObject({ final: reference(10), head: reference(14) })
  expect(await read('base')).toMatchObject({ head: reference(3) })
})

test('without a cursor a chain was never followed, and nothing moves it', async () => {
  await deleteCursor(database.db, 'polygon')
  expect(await read()).toBeUndefined()
  expect(await advance(10, 11)).toBe(false)
  expect(await finalOf('base')).toBe(3)
})

test('a process whose chain another one follows moves, places and deletes no cursor', async () => {
  await database.db.deleteFrom('job_leases').execute()
  const lease = { job: 'follow polygon', worker_id: 2, token: 2, since: NOW }
  await database.db.insertInto('job_leases').values(lease).execute()
  const replaced = leasedDatabase(database.db, { job: lease.job, workerId: 1, token: 1 })
  const move = { blockchain: 'polygon', from: 10, to: block(11), now: NOW }
  expect(await moveFinal(replaced, move)).toBe(false)
  const start = { blockchain: 'polygon', genesisHash: '0xgenesis', at: block(4), now: NOW }
  await expect(placeCursor(replaced, start)).rejects.toMatchObject({ name: 'LeaseLost' })
  await deleteCursor(replaced, 'polygon')
  expect(await finalOf()).toBe(10)
})
