import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ManualClock } from '../../../src/kernel/index.ts'
import { createFakeBridgeState, type FakeBridgeState } from './fake-bridge-state.ts'
import { type BridgeResponse, handleRequest } from './handle-request.ts'

/**
 * What goes wrong with a request: it is executed but its response is lost; it is not executed and hangs; it gets this
 * status.
 */
export type BridgeFault = 'lose the answer' | 'hang' | 422 | 429 | 500 | 503

/** A stand-in for the partner: a real HTTP server on loopback that follows the partner's public reference. */
export interface FakeBridge extends FakeBridgeState {
  readonly url: string
  readonly apiKey: string
  /** Every POST that it received: path and idempotency key. */
  readonly posts: { readonly path: string; readonly key: string }[]
  /** Every GET that it received: path and query. */
  readonly reads: string[]
  /** Applies a fault to the next request whose method and path begin with `request`. */
  fail(request: string, fault: BridgeFault): void
  close(): Promise<void>
}

const DAY_MS = 86_400_000

export async function startFakeBridge(clock: ManualClock): Promise<FakeBridge> {
  const ledger = createFakeBridgeState(clock)
  const answers = new Map<string, { request: string; answered: BridgeResponse; at: number }>()
  const faults: { request: string; fault: BridgeFault }[] = []
  const apiKey = 'sk-test-of-the-stand-in'
  const posts: FakeBridge['posts'] = []
  const reads: string[] = []

  /** Repeats the response for the same key for a day; then refuses the key. */
  function once(key: string, request: string, work: () => BridgeResponse): BridgeResponse {
    const before = answers.get(key)
    if (before && clock.now().getTime() - before.at > DAY_MS) {
      return { status: 422, body: { code: 'idempotency_error', message: 'Idempotency Key Retry Deadline Exceeded' } }
    }
    if (before && before.request !== request) return { status: 400, body: { code: 'not_truly_idempotent' } }
    const answered = before?.answered ?? work()
    answers.set(key, before ?? { request, answered, at: clock.now().getTime() })
    return answered
  }

  function respond(request: IncomingMessage, text: string): BridgeResponse {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const [method, path] = [request.method ?? '', url.pathname.replace(/^\/v0/, '')]
    if (request.headers['api-key'] !== apiKey) return { status: 401, body: { code: 'unauthorized' } }
    const asked = { method, path, query: url.searchParams, body: text === '' ? {} : JSON.parse(text) }
    const key = request.headers['idempotency-key']
    if (method !== 'POST') {
      return key === undefined
        ? handleRequest(ledger, asked)
        : { status: 400, body: { code: 'idempotency_key_not_allowed' } }
    }
    if (typeof key !== 'string') return { status: 400, body: { code: 'missing_idempotency_key' } }
    posts.push({ path, key })
    return once(key, `${path} ${text}`, () => handleRequest(ledger, asked))
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const line = `${request.method} ${request.url?.replace(/^\/v0/, '')}`
    if (request.method === 'GET') reads.push(line.slice('GET '.length))
    response.setHeader('date', clock.now().toUTCString())
    const place = faults.findIndex((one) => line.startsWith(one.request))
    const fault = place < 0 ? undefined : faults.splice(place, 1)[0]!.fault
    if (fault === 'hang') return
    if (typeof fault === 'number') {
      response.writeHead(fault, { 'content-type': 'application/json' }).end('{"code":"unexpected"}')
      return
    }
    const { status, body } = respond(request, Buffer.concat(chunks).toString('utf8'))
    if (fault === 'lose the answer') request.socket.destroy()
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...ledger,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    posts,
    reads,
    fail: (request, fault) => void faults.push({ request, fault }),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
