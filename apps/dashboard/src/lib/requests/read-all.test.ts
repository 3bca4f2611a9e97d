import { afterEach, expect, test, vi } from 'vitest'
import { readAll, readFirst } from './read-all.ts'

interface Row {
  readonly id: number
}
interface Sent {
  readonly path: string
  readonly accept: string | null
}

const lineOf = (ids: readonly number[]) => `${JSON.stringify({ success: true, data: ids.map((id) => ({ id })) })}\n`

/** A service that sends `text` in pieces of this many bytes, and then breaks off if it `fails`: always, or so often. */
function serve(text: string, { size = 7, fails = 0 } = {}) {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    sent.push({ path, accept: new Headers(init.headers).get('accept') })
    const bytes = new TextEncoder().encode(text)
    const isCut = sent.length <= fails
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size))
        else if (isCut) controller.error(new TypeError('network error'))
        else controller.close()
        at += size
      },
    })
    return new Response(body, { headers: { 'x-total-count': '250' } })
  })
  return sent
}
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const listing = {
  path: '/api/core/rows?status=open',
  rows: (items: Row[], { total }: { total: number | null }) => ({ items, total: total ?? items.length }),
  id: ({ id }: Row) => id,
}

async function read(signal = new AbortController().signal): Promise<number[]> {
  const all: number[] = []
  for await (const { rows, total, startsOver } of readAll<Row, Row[]>(listing, signal)) {
    expect(total).toBe(250)
    if (startsOver) all.length = 0
    all.push(...rows.map(({ id }) => id))
  }
  return all
}

test('reads every row of a list once from one response, however it arrives and whatever is added meanwhile', async () => {
  // The fourth row was pushed onto the second page by one that was added.
  const text = lineOf([7, 6, 5, 4]) + lineOf([4, 3, 2, 1])
  for (const size of [1, 7, 10_000]) {
    const sent = serve(text, { size })
    expect(await read()).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(sent).toEqual([{ path: '/api/core/rows?status=open', accept: 'application/x-ndjson' }])
  }
})

test('a response that breaks off is read again from the beginning, and begins with what is there then', async () => {
  vi.useFakeTimers()
  const sent = serve(lineOf([2, 1]), { fails: 2 })
  const reading = read()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await reading).toEqual([2, 1])
  expect(sent).toHaveLength(3)
})

test.each([
  ['breaks off each time', lineOf([2, 1]), Number.POSITIVE_INFINITY],
  ['ends within a line', lineOf([2, 1]).slice(0, -1), 0],
])('a response that %s is an error, never a shorter list', async (_, text, fails) => {
  vi.useFakeTimers()
  const sent = serve(text, { fails })
  const reading = expect(read()).rejects.toMatchObject({ code: 'UNREACHABLE' })
  await vi.advanceTimersByTimeAsync(60_000)
  await reading
  expect(sent).toHaveLength(3)
})

test('the first rows of a list are read, no more than wanted, and begin again with a response that broke off', async () => {
  const first = async (max: number) => {
    const counts: number[] = []
    const signal = new AbortController().signal
    const { rows, total } = await readFirst<Row, Row[]>(listing, max, { signal, onRead: (count) => counts.push(count) })
    return { ids: rows.map(({ id }) => id), total, counts }
  }
  serve(lineOf([7, 6, 5]) + lineOf([4, 3, 2]) + lineOf([1]))
  expect(await first(4)).toEqual({ ids: [7, 6, 5, 4], total: 250, counts: [3, 4] })
  vi.useFakeTimers()
  serve(lineOf([7, 6, 5]), { fails: 1 })
  const again = first(10)
  await vi.runAllTimersAsync()
  expect(await again).toEqual({ ids: [7, 6, 5], total: 250, counts: [3, 3] })
})

test('a list that is refused when it is read again is refused', async () => {
  vi.useFakeTimers()
  serve(lineOf([2, 1]), { fails: 1 })
  const answering = globalThis.fetch
  let requests = 0
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests += 1
    return requests === 1 ? answering(path, init) : new Response('{"code":"UNAUTHORIZED"}', { status: 401 })
  })
  const reading = expect(read()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await vi.advanceTimersByTimeAsync(60_000)
  await reading
  expect(requests).toBe(2)
})

test('waits as long as the service asks for when it refuses for a moment', async () => {
  vi.useFakeTimers()
  let refusals = 2
  serve(lineOf([3, 2, 1]))
  const answering = globalThis.fetch
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) =>
    refusals-- > 0
      ? new Response('{"code":"RATE_LIMIT_EXCEEDED"}', { status: 429, headers: { 'retry-after': '7' } })
      : answering(path, init),
  )
  const reading = read()
  await vi.advanceTimersByTimeAsync(13_900)
  expect(refusals).toBe(0)
  await vi.advanceTimersByTimeAsync(200)
  expect(await reading).toEqual([3, 2, 1])
})

test('stops while it waits', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 503, headers: { 'retry-after': '60' } }))
  const abort = new AbortController()
  const reading = read(abort.signal)
  setTimeout(() => abort.abort(), 20)
  await expect(reading).rejects.toThrow('abort')
})
