import { createEndpoint, type Endpoint, type Identity, type RpcAnswer } from './endpoint.ts'
import { NodeUnavailable } from './port.ts'

/** JSON-RPC to several endpoints of one chain. One that serves another chain is left out. */
export interface Rpc {
  readonly endpoints: readonly Endpoint[]
  /** Calls the endpoints in turn until one returns a result. Throws {@link NodeUnavailable}. */
  read<Result>(method: string, params: readonly unknown[]): Promise<Result>
  /** The results of all endpoints that return one, at least one. Throws {@link NodeUnavailable}. */
  readAll<Result>(method: string, params: readonly unknown[]): Promise<readonly Result[]>
  /** Yields each endpoint's response, or the reason why there is none. */
  each(method: string, params: readonly unknown[]): AsyncGenerator<RpcAnswer | Error>
}

interface RpcOptions {
  readonly identity?: Identity | undefined
  readonly onOtherChain?: ((reason: string) => void) | undefined
}

export function createRpc(blockchain: string, urls: readonly string[], options: RpcOptions = {}): Rpc {
  const endpoints = urls.map((url, index) =>
    createEndpoint({ ...options, url, name: `endpoint ${index + 1} of ${blockchain} (${new URL(url).host})` }),
  )
  async function* each(method: string, params: readonly unknown[]) {
    for (const endpoint of endpoints) yield await endpoint.request(method, params)
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
    endpoints,
    each,
    read: async <Result>(method: string, params: readonly unknown[]) =>
      (await results<Result>(method, params, 1))[0] as Result,
    readAll: (method, params) => results(method, params, urls.length),
  }
}
