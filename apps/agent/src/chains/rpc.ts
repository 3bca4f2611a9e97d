import { boundedText } from '../bounded-body.ts'
import { NodeUnavailable } from './port.ts'

export interface RpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

const TIMEOUT_MS = 10_000
/** The largest needed response is a block's header with its hashes. */
const MAX_RESPONSE_BYTES = 4_194_304

/** JSON-RPC to several endpoints of one chain. */
export interface Rpc {
  /** Calls the endpoints in turn until one returns a result. Throws {@link NodeUnavailable}. */
  read<Result>(method: string, params: readonly unknown[]): Promise<Result>
  /** The results of all endpoints that return one, at least one. Throws {@link NodeUnavailable}. */
  readAll<Result>(method: string, params: readonly unknown[]): Promise<readonly Result[]>
  /** Yields each endpoint's response, or the reason why there is none. */
  each(method: string, params: readonly unknown[]): AsyncGenerator<RpcAnswer | Error>
}

export function createRpc(blockchain: string, urls: readonly string[]): Rpc {
  async function* each(method: string, params: readonly unknown[]) {
    for (const url of urls) yield await request(url, method, params)
  }
  /** The results until `enough` of them. */
  async function results<Result>(method: string, params: readonly unknown[], enough: number): Promise<Result[]> {
    const [found, reasons]: [Result[], string[]] = [[], []]
    for await (const answer of each(method, params)) {
      if (answer instanceof Error) reasons.push(answer.message)
      else if (answer.error != null) reasons.push(answer.error.message)
      else found.push(answer.result as Result)
      if (found.length >= enough) return found
    }
    if (found.length > 0) return found
    throw new NodeUnavailable(`${blockchain} does not respond to ${method}: ${reasons.join('; ')}`)
  }
  return {
    each,
    read: async <Result>(method: string, params: readonly unknown[]) =>
      (await results<Result>(method, params, 1))[0] as Result,
    readAll: (method, params) => results(method, params, urls.length),
  }
}

/** A reason never names the endpoint: its URL may contain a key. */
async function request(url: string, method: string, params: readonly unknown[]): Promise<RpcAnswer | Error> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
    const answer = JSON.parse(await boundedText(response, MAX_RESPONSE_BYTES)) as RpcAnswer
    const isAnswer = typeof answer === 'object' && answer !== null && ('result' in answer || answer.error != null)
    return isAnswer ? answer : new Error(`HTTP status ${response.status} without a response`)
  } catch (error) {
    const { cause, name } = error as Error
    return new Error(cause instanceof Error && 'code' in cause ? String(cause.code) : name)
  }
}
