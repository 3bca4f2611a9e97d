// Also tested elsewhere: that the service ends the stream of a replaced cookie, and reads on after an event
// (apps/server/src/surfaces/core/identity/sessions/streams-of-replaced-cookies.test.ts).
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tellOfNewCookie } from './cookie-news.ts'
import { followEvents, type LiveState } from './follow-events.ts'

/** A stream that the page opened. */
class Opened {
  readonly after: string | null
  readonly isAborted: () => boolean
  readonly #controller: ReadableStreamDefaultController<Uint8Array>

  constructor(init: RequestInit, controller: ReadableStreamDefaultController<Uint8Array>) {
    this.after = new Headers(init.headers).get('last-event-id')
    this.isAborted = () => init.signal!.aborted
    init.signal!.addEventListener('abort', () => controller.error(init.signal!.reason))
    this.#controller = controller
  }
  send(text: string): void {
    this.#controller.enqueue(new TextEncoder().encode(text))
  }
  end(): void {
    this.#controller.close()
  }
}

const begins = (id: number) => `retry: 2000\nid: ${id}\n\n`
const event = (id: number) => `id: ${id}\nevent: operation.updated\ndata: {}\n\n`

let opened: Opened[]
let changes: number
let states: LiveState[]
let end: AbortController
beforeEach(() => {
  vi.useFakeTimers()
  opened = []
  changes = 0
  states = []
  end = new AbortController()
  vi.stubGlobal('document', { hidden: false, addEventListener: () => {}, removeEventListener: () => {} })
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void opened.push(new Opened(init, controller)),
    })
    return new Response(body)
  })
  void followEvents(
    end.signal,
    () => {
      changes += 1
    },
    (state) => states.push(state),
  )
})
afterEach(async () => {
  end.abort()
  await vi.advanceTimersByTimeAsync(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const stream = async (count: number): Promise<Opened> => {
  await vi.advanceTimersByTimeAsync(0)
  expect(opened).toHaveLength(count)
  return opened[count - 1]!
}

test('a new cookie opens the stream again at once, after the last event, and ends the one of the old cookie', async () => {
  const first = await stream(1)
  first.send(begins(4) + event(5) + event(7))
  await vi.advanceTimersByTimeAsync(0)
  tellOfNewCookie()
  const second = await stream(2)
  expect([first.isAborted(), first.after, second.after, changes]).toEqual([true, null, '7', 2])
  second.send(begins(7) + event(8))
  await vi.advanceTimersByTimeAsync(0)
  expect([changes, states]).toEqual([3, ['live', 'live']])
})

test('an event that was cut off is asked for again, and where a stream began counts before any event', async () => {
  const first = await stream(1)
  first.send(`${begins(4)}id: 5\nevent: operation.upd`)
  await vi.advanceTimersByTimeAsync(0)
  tellOfNewCookie()
  expect((await stream(2)).after).toBe('4')
})

test('a stream that is opened again without a place to continue from is followed by a read', async () => {
  await stream(1)
  tellOfNewCookie()
  expect((await stream(2)).after).toBeNull()
  expect(changes).toBe(1)
})

test('a stream that the service ends is opened again after the last event, with a read in between', async () => {
  const first = await stream(1)
  first.send(begins(4) + event(5))
  await vi.advanceTimersByTimeAsync(0)
  first.end()
  await vi.advanceTimersByTimeAsync(15_000)
  expect([(await stream(2)).after, changes]).toEqual(['5', 2])
})
