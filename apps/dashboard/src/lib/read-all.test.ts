import { afterEach, expect, test, vi } from 'vitest'
import { readAll } from './read-all.ts'

interface Row {
  readonly id: number
}

/** A service that lists `ids`, newest first, and answers with these headers. */
function serve(ids: () => readonly number[], headers: Record<string, string> = {}) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const query = new URL(path, 'http://weir.example').searchParams
    const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY)
    const offset = Number(query.get('offset'))
    const page = ids()
      .filter((id) => id < before)
      .slice(offset, offset + Number(query.get('limit')))
    const body = { success: true, data: page.map((id) => ({ id })) }
    return new Response(JSON.stringify(body), { headers: { 'x-total-count': String(ids().length), ...headers } })
  })
  return asked
}
afterEach(() => vi.unstubAllGlobals())

const listing = {
  path: '/api/core/rows?status=open',
  rows: (items: Row[], { total }: { total: number | null }) => ({ items, total: total ?? items.length }),
  id: ({ id }: Row) => id,
}
const downFrom = (highest: number, count: number) => Array.from({ length: count }, (_, n) => highest - n)

async function read(more: object = {}, signal = new AbortController().signal): Promise<number[]> {
  const all: number[] = []
  for await (const { rows } of readAll<Row, Row[]>({ ...listing, ...more }, signal))
    all.push(...rows.map(({ id }) => id))
  return all
}

test('reads every row of a list once, by offset or by id, whatever is added meanwhile', async () => {
  for (const more of [{}, { keyOf: ({ id }: Row) => id }]) {
    let ids = downFrom(250, 250)
    const expected = [...ids]
    const asked = serve(() => ids)
    const all: number[] = []
    for await (const { rows, total } of readAll<Row, Row[]>({ ...listing, ...more }, new AbortController().signal)) {
      all.push(...rows.map(({ id }) => id))
      expect(total).toBe(ids.length)
      ids = [ids[0]! + 1, ...ids]
    }
    expect(all.toSorted((a, b) => b - a)).toEqual(expected)
    expect(asked).toHaveLength(3)
    expect(asked.every((path) => path.startsWith('/api/core/rows?status=open&limit=100&offset='))).toBe(true)
  }
})

test('reads the page after a full last one, and ends with it', async () => {
  const asked = serve(() => downFrom(200, 200))
  expect(await read()).toHaveLength(200)
  expect(asked).toHaveLength(3)
})

test('waits as long as the service asks for when it refuses for a moment', async () => {
  vi.useFakeTimers()
  let refusals = 2
  serve(() => downFrom(3, 3))
  const answering = globalThis.fetch
  vi.stubGlobal('fetch', async (path: string) =>
    refusals-- > 0
      ? new Response('{"code":"RATE_LIMIT_EXCEEDED"}', { status: 429, headers: { 'retry-after': '7' } })
      : answering(path),
  )
  const reading = read()
  await vi.advanceTimersByTimeAsync(13_900)
  expect(refusals).toBe(0)
  await vi.advanceTimersByTimeAsync(200)
  expect(await reading).toEqual([3, 2, 1])
  vi.useRealTimers()
})

test('leaves the last requests of a minute to the page', async () => {
  vi.useFakeTimers()
  const asked = serve(() => downFrom(150, 150), { 'ratelimit-remaining': '59', 'ratelimit-reset': '20' })
  const reading = read()
  await vi.advanceTimersByTimeAsync(19_000)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await reading).toHaveLength(150)
  vi.useRealTimers()
})

test('stops while it waits', async () => {
  serve(() => downFrom(150, 150), { 'ratelimit-remaining': '0', 'ratelimit-reset': '60' })
  const abort = new AbortController()
  const reading = read({}, abort.signal)
  setTimeout(() => abort.abort(), 20)
  await expect(reading).rejects.toThrow('abort')
})
