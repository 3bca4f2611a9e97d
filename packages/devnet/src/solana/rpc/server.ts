import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Control } from '../control.ts'
import { CONTROL_HEADER, CONTROL_PATH } from '../control-path.ts'
import { accountMethods } from './account-methods.ts'
import { blockMethods } from './block-methods.ts'
import { clusterMethods } from './cluster-methods.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError, stringify } from './json.ts'
import type { Methods, Node } from './method.ts'
import { paramsOf } from './params.ts'
import { transactionMethods } from './transaction-methods.ts'

const METHODS: Methods = { ...clusterMethods, ...accountMethods, ...blockMethods, ...transactionMethods }

const MAX_BODY_BYTES = 2_000_000
const MAX_BATCH = 1_000
const INVALID_REQUEST = -32_600
const PARSE_ERROR = -32_700
const INTERNAL_ERROR = -32_603
const MIN_CONTEXT_SLOT_NOT_REACHED = -32_016

/** Serves JSON-RPC on every path except `/control`, which requires the secret. */
export function createRpcServer(node: Node, control: Control, secret: string): Server {
  const answer = (request: unknown) => answerOne(request, (method, params) => call(node, method, params))
  const answerControl = (request: unknown) =>
    answerOne(request, (method, params) => {
      const command = Object.hasOwn(control, method) ? control[method as keyof Control] : undefined
      if (command === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
      return (command as (...args: readonly unknown[]) => unknown)(...params)
    })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const controls = request.url === CONTROL_PATH
    if (controls && !isSecret(request.headers[CONTROL_HEADER], secret)) return send(response, 404)
    if (request.method === 'GET' && request.url === '/health') return send(response, 200, 'ok')
    if (request.method !== 'POST') return send(response, 405)
    const body = await bodyOf(request)
    if (body === null) return send(response, 413)
    if (!controls && node.faults.applies('rpc_down')) return send(response, 503)
    const asked = parsed(body)
    if (asked === undefined) return send(response, 200, stringify(failure(null, PARSE_ERROR, 'Parse error')))
    if (!Array.isArray(asked)) {
      const answered = controls ? await settled(answerControl(asked)) : answer(asked)
      return send(response, 200, answered === null ? '' : stringify(answered))
    }
    if (asked.length === 0 || asked.length > MAX_BATCH) {
      return send(response, 200, stringify(failure(null, INVALID_REQUEST, 'Invalid request')))
    }
    if (controls) return send(response, 200, stringify(failure(null, INVALID_REQUEST, 'Invalid request')))
    const answers = asked.map(answer).filter((part) => part !== null)
    send(response, 200, stringify(answers))
  }

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(error)
      send(response, 500)
    })
  })
}

/** The response to one request of a body; null for a notification, which gets none. */
function answerOne(request: unknown, run: (method: string, params: readonly unknown[]) => unknown) {
  if (typeof request !== 'object' || request === null) return failure(null, INVALID_REQUEST, 'Invalid request')
  const { id, method, params = [] } = request as Readonly<Record<string, unknown>>
  if (typeof method !== 'string') return failure(id ?? null, INVALID_REQUEST, 'Invalid request')
  if (id === undefined) return null
  if (!Array.isArray(params)) return failure(id, INVALID_PARAMS, '`params` should be an array')
  try {
    return { jsonrpc: '2.0', id, result: run(method, params) }
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error.code, error.message, error.data)
    console.error(error)
    return failure(id, INTERNAL_ERROR, error instanceof Error ? error.message : String(error))
  }
}

/** Commands may take until a signature is made: waits for the result. */
async function settled(answered: ReturnType<typeof answerOne>) {
  if (answered === null || !('result' in answered) || !(answered.result instanceof Promise)) return answered
  try {
    return { ...answered, result: await answered.result }
  } catch (error) {
    console.error(error)
    return failure(answered.id, INTERNAL_ERROR, error instanceof Error ? error.message : String(error))
  }
}

function call(node: Node, name: string, values: readonly unknown[]): unknown {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
  if (method === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  const { slot } = node.ledger.head()
  for (const value of values) {
    const wanted = typeof value === 'object' && value !== null && 'minContextSlot' in value ? value.minContextSlot : 0
    if (typeof wanted === 'number' && wanted > slot) {
      const data = { contextSlot: slot }
      throw new RpcError(MIN_CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached', data)
    }
  }
  return method(paramsOf(values), node)
}

function failure(id: unknown, code: number, message: string, data?: unknown) {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined // Reported to the client as a parse error.
  }
}

/** Null when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function isSecret(given: string | string[] | undefined, secret: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function send(response: ServerResponse, status: number, body = ''): void {
  response.writeHead(status, { 'content-type': body === 'ok' ? 'text/plain' : 'application/json' }).end(body)
}
