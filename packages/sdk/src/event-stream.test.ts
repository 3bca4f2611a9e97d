import { expect, onTestFinished, test, vi } from 'vitest'
import type { ClientOptions } from './index.ts'
import { type Answer, failing, useScriptedService } from './testing/scripted-service.ts'

const service = useScriptedService()
const { weir } = service

test('a stream resumes after the last event when the connection is lost', async () => {
  const part =
    (text: string, ends: boolean): Answer =>
    (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(text)
      if (ends) setImmediate(() => request.socket.destroy())
    }
  const event = (id: number) => `id: ${id}\nevent: e\ndata: {"id":${id}}\n\n`
  service.answers = [part(`retry: 2000\n\n:idle\n\n${event(1)}${event(2)}`, true), part(event(3), false)]
  const ids: number[] = []
  for await (const { id } of weir().v1.events.stream()) {
    ids.push(id)
    if (id === 3) break
  }
  expect(ids).toEqual([1, 2, 3])
  expect(service.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2'])
})

const endingStream =
  (text: string): Answer =>
  (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text)
    setImmediate(() => request.socket.destroy())
  }
async function firstEvent(options: Partial<ClientOptions> = {}): Promise<number | undefined> {
  for await (const { id } of weir(options).v1.events.stream()) return id
  return undefined
}

test('a stream that is lost before its first event continues from where it began', async () => {
  service.answers = [
    endingStream('retry: 2000\nid: 7\n\n'),
    endingStream('retry: 2000\nid: 7\n\nid: 8\ndata: {"id":8}\n\n'),
  ]
  expect(await firstEvent()).toBe(8)
  expect(service.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7'])
})

test('a stream waits for a service that is away for longer than a request is repeated, and ends where no retry helps', async () => {
  const away: Answer = (_request, response) => response.writeHead(502).end('<html>')
  service.answers = [
    failing(503, 'NOT_READY'),
    away,
    failing(429, 'RATE_LIMIT_EXCEEDED'),
    endingStream('id: 8\ndata: {"id":8}\n\n'),
  ]
  expect(await firstEvent({ maxRetries: 0 })).toBe(8)
  expect(service.seen).toHaveLength(4)
  service.answers = [failing(403, 'API_KEY_DISABLED')]
  await expect(firstEvent()).rejects.toMatchObject({ code: 'API_KEY_DISABLED' })
})

test('a stream waits a minute and a half at most, whatever a proxy asks for', async () => {
  const waits: number[] = []
  const timer = globalThis.setTimeout
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms = 0) => {
    const isLong = ms > 45_000
    if (isLong) waits.push(ms)
    return timer(act, isLong ? 0 : ms)
  }) as typeof setTimeout)
  onTestFinished(() => {
    spy.mockRestore()
  })
  const page: Answer = (_request, response) => response.writeHead(503, { 'retry-after': '9999999' }).end('<html>')
  service.answers = [page, endingStream('retry: 9999999\nid: 7\n\n'), endingStream('id: 8\ndata: {"id":8}\n\n')]
  expect(await firstEvent({ maxRetries: 0 })).toBe(8)
  expect(waits).toHaveLength(2)
  for (const ms of waits) expect(ms).toBeLessThanOrEqual(90_000)
})

test('a stream says each time that it is open, and never when it is refused', async () => {
  service.answers = [endingStream('retry: 20\nid: 7\n\n'), endingStream('id: 8\ndata: {"id":8}\n\n')]
  const onOpen = vi.fn()
  for await (const _event of weir().v1.events.stream({ onOpen })) break
  expect(onOpen).toHaveBeenCalledTimes(2)
  service.answers = [failing(401, 'UNAUTHORIZED')]
  const refused = weir().v1.events.stream({ onOpen }).next()
  await expect(refused).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(onOpen).toHaveBeenCalledTimes(2)
})

test('a stream ends with an error of the caller, of whatever type', async () => {
  const broken = new TypeError('undefined is not a function')
  const throws = () => {
    throw broken
  }
  service.answers = [endingStream('retry: 20\nid: 8\ndata: {"id":8}\n\n')]
  await expect(weir().v1.events.stream({ onOpen: throws }).next()).rejects.toBe(broken)
  await expect(firstEvent({ hooks: { request: throws } })).rejects.toBe(broken)
  expect(service.seen).toHaveLength(1)
})

test('a stream is opened again after a response without a body', async () => {
  const empty: Answer = (_request, response) => response.writeHead(204).end()
  service.answers = [empty, endingStream('id: 8\ndata: {"id":8}\n\n')]
  expect(await firstEvent()).toBe(8)
})

test('a stream that goes silent is opened again, after the time that the service asks for', async () => {
  const hanging =
    (text: string): Answer =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(text)
    }
  const at: number[] = []
  const timed =
    (answer: Answer): Answer =>
    (...args) => {
      at.push(performance.now())
      answer(...args)
    }
  service.answers = [timed(hanging('retry: 20\nid: 7\n\n')), timed(hanging('id: 8\ndata: {"id":8}\n\n'))]
  const ids: number[] = []
  for await (const { id } of weir().v1.events.stream({ silenceMs: 2_000 })) {
    ids.push(id)
    break
  }
  expect(ids).toEqual([8])
  expect(service.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7'])
  expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(2_015)
})

test('a stream may be silent forever on request', async () => {
  service.answers = [
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('id: 7\n\n')
      setTimeout(() => response.write('id: 8\ndata: {"id":8}\n\n'), 50)
    },
  ]
  for await (const { id } of weir().v1.events.stream({ silenceMs: Number.POSITIVE_INFINITY })) {
    expect(id).toBe(8)
    break
  }
  expect(service.seen).toHaveLength(1)
})
