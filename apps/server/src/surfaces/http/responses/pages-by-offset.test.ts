import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIST_LIMIT_MAX } from '../../../kernel/index.ts'
import { pagesByOffset } from './pages-by-offset.ts'

const newestFirst = (count: number) => Array.from({ length: count }, (_, at) => count - at)

/** Reads a list that `change` alters before each read but the first. */
async function readAll(list: number[], change: (read: number) => void): Promise<number[]> {
  let reads = 0
  const read = async ({ limit, offset }: { limit: number; offset: number }) => {
    if (reads > 0) change(reads)
    reads += 1
    const rows = list.slice(offset, offset + limit).map((id) => ({ id }))
    return { success: true, data: { rows } }
  }
  const seen: number[] = []
  for await (const page of pagesByOffset(read))
    seen.push(...(page as { data: { rows: { id: number }[] } }).data.rows.map(({ id }) => id))
  return seen
}

test('rows that leave while a list is read hide none of those that stay', async () => {
  const list = newestFirst(450)
  const seen = await readAll(list, (read) => {
    if (read <= 3) list.splice(0, 2)
  })
  expect(seen).toEqual(newestFirst(450))
})

test('a row that moves to the end, and one that comes in further back, hide none either', async () => {
  const moving = newestFirst(450)
  const seen = await readAll(moving, (read) => {
    if (read === 1) moving.push(moving.shift()!)
  })
  expect(new Set(seen)).toEqual(new Set(newestFirst(450)))
  const balanced = newestFirst(450)
  const found = await readAll(balanced, (read) => {
    if (read !== 1) return
    balanced.splice(0, 1)
    balanced.splice(300, 0, 1_000)
  })
  expect(newestFirst(450).filter((id) => !found.includes(id))).toEqual([])
})

test('rows that move to the end and lie where the next page begins are not taken for the page before', async () => {
  const list = newestFirst(101)
  const seen = await readAll(list, (read) => {
    if (read !== 1) return
    list.splice(0, 2)
    list.push(...list.splice(0, 9))
  })
  expect(new Set(seen)).toEqual(new Set(newestFirst(101)))
})

// Moves of more rows than pages overlap by can be taken for the page before.
test('whatever comes, goes and moves, each row that stays is there once', async () => {
  const change = fc.record({
    removed: fc.array(fc.nat(600), { maxLength: 60 }),
    added: fc.array(fc.nat(600), { maxLength: 20 }),
  })
  const moves = fc.array(fc.record({ read: fc.nat(6), at: fc.nat(600) }), { maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 500 }),
      fc.array(change, { maxLength: 6 }),
      moves,
      async (count, changes, moves) => {
        const list = newestFirst(count)
        const stay = new Set(list)
        let newest = count
        const seen = await readAll(list, (read) => {
          const { removed = [], added = [] } = changes[read - 1] ?? {}
          for (const at of removed) for (const id of list.splice(at, 1)) stay.delete(id)
          for (const { at } of moves.filter((move) => move.read === read)) list.push(...list.splice(at, 1))
          for (const at of added) {
            newest += 1
            list.splice(at, 0, newest)
          }
        })
        expect(new Set(seen).size).toBe(seen.length)
        expect([...stay].filter((id) => !seen.includes(id))).toEqual([])
      },
    ),
  )
})

test('a list whose rows move faster than it is read is broken off', async () => {
  const list = newestFirst(100 * LIST_LIMIT_MAX)
  const drain = (read: number) => {
    if (read > 30) list.splice(0, LIST_LIMIT_MAX)
  }
  await expect(readAll(list, drain)).rejects.toMatchObject({ code: 'NOT_READY' })
})
