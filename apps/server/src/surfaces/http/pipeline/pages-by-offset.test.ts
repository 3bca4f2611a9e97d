import fc from 'fast-check'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { LIST_LIMIT_MAX } from '../../../kernel/index.ts'
import { pagesByOffset } from './pages-by-offset.ts'

const reply = { getHeader: () => undefined } as unknown as FastifyReply
const newestFirst = (count: number) => Array.from({ length: count }, (_, at) => count - at)

/** Reads a list that `change` alters before each read but the first. */
async function readAll(list: number[], change: (read: number) => void): Promise<number[]> {
  let reads = 0
  const read = async ({ limit, offset }: { limit: number; offset: number }) => {
    if (reads > 0) change(reads)
    reads += 1
    const rows = list.slice(offset, offset + limit).map((id) => ({ id }))
    return { success: true, data: { rows, pagination: { total: list.length } } }
  }
  const seen: number[] = []
  for await (const page of pagesByOffset(read, reply))
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

test('whatever comes and goes, each row that stays is there once', async () => {
  const changes = fc.array(fc.record({ removed: fc.array(fc.nat(600), { maxLength: 60 }), added: fc.nat(20) }), {
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 500 }), changes, async (count, steps) => {
      const list = newestFirst(count)
      const stay = new Set(list)
      let newest = count
      const seen = await readAll(list, (read) => {
        const step = steps[read - 1]
        if (!step) return
        for (const at of step.removed) for (const id of list.splice(at, 1)) stay.delete(id)
        for (let each = 0; each < step.added; each += 1) {
          newest += 1
          list.unshift(newest)
        }
      })
      expect(new Set(seen).size).toBe(seen.length)
      expect([...stay].filter((id) => !seen.includes(id))).toEqual([])
    }),
  )
})

test('a list that loses rows faster than it is read is broken off', async () => {
  const list = newestFirst(100 * LIST_LIMIT_MAX)
  await expect(readAll(list, () => void list.splice(0, 1))).rejects.toMatchObject({ code: 'NOT_READY' })
})
