import { createEndpoint, type Endpoint, type Identity, OtherChain, type RpcAnswer } from './endpoint.ts'
import type { Form } from './forms.ts'
import { NodeUnavailable } from './port.ts'

/** JSON-RPC to several endpoints of one chain. One that serves another chain is left out. */
export interface Rpc {
  readonly endpoints: readonly Endpoint[]
  /** Calls the endpoints in turn until one returns a result of this form. Throws {@link NodeUnavailable}. */
  read<Result>(method: string, params: readonly unknown[], isForm: Form<Result>): Promise<Result>
  /** The results of all endpoints that return one of this form, at least one. Throws {@link NodeUnavailable}. */
  readAll<Result>(method: string, params: readonly unknown[], isForm: Form<Result>): Promise<readonly Result[]>
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
  async function results<Result>(
    [method, params]: readonly [string, readonly unknown[]],
    isForm: Form<Result>,
    enough: number,
  ): Promise<Result[]> {
    const [found, reasons]: [Result[], string[]] = [[], []]
    for await (const answer of each(method, params)) {
      const result = resultOf(answer, isForm)
      if (result instanceof Error) reasons.push(result.message)
      else found.push(result)
      if (found.length >= enough) return found
    }
    if (found.length > 0) return found
    throw new NodeUnavailable(`${blockchain} does not respond to ${method}: ${reasons.join('; ')}`)
  }
  return {
    endpoints,
    each,
    read: async <Result>(method: string, params: readonly unknown[], isForm: Form<Result>) =>
      (await results([method, params], isForm, 1))[0] as Result,
    readAll: (method, params, isForm) => results([method, params], isForm, urls.length),
  }
}

/** No such method, or none that the endpoint supports: it took nothing, and another endpoint may have it. */
const METHOD_MISSING = new Set([-32_601, -32_004])

/** Whether an endpoint certainly did not take what it was sent: it lacks the method, or nothing is sent to it. */
export function isCertainlyUnsent(answer: RpcAnswer | Error): boolean {
  if (answer instanceof Error) return answer instanceof OtherChain
  return answer.error != null && METHOD_MISSING.has(answer.error.code)
}

/** A malformed result counts as an error. */
export function resultOf<Result>(answer: RpcAnswer | Error, isForm: Form<Result>): Result | Error {
  if (answer instanceof Error) return answer
  if (answer.error != null) return new Error(String(answer.error.message))
  return isForm(answer.result) ? answer.result : new Error('a result of an unexpected form')
}
