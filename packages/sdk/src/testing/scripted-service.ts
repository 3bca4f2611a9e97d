import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type ClientOptions, Weir } from '../index.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A service that answers what a test says: each answer once, and the last one from then on. */
export interface ScriptedService {
  answers: Answer[]
  /** Its requests; a test may empty it. */
  seen: readonly Seen[]
  readonly baseUrl: string
  readonly weir: (options?: Partial<ClientOptions>) => Weir
}

/** For a test file; each test begins without answers, and with nothing seen. */
export function useScriptedService(): ScriptedService {
  let answers: Answer[] = []
  let seen: readonly Seen[] = []
  let baseUrl = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen = [...seen, { method: request.method!, url: request.url!, headers: request.headers, body }]
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!
    answer(request, response, body)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    answers = []
    seen = []
  })
  return {
    get answers() {
      return answers
    },
    set answers(next) {
      answers = next
    },
    get seen() {
      return seen
    },
    set seen(next) {
      seen = next
    },
    get baseUrl() {
      return baseUrl
    },
    weir: (options = {}) => new Weir({ baseUrl, apiKey: 'key', ...options }),
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
export const failing = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { code, message: `about ${code}`, requestId: 'r' }, { 'x-request-id': 'r', ...headers })
export const lost: Answer = (request) => request.socket.destroy()
