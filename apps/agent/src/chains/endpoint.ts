import { boundedText } from '../bounded-body.ts'

export interface RpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** How an endpoint proves which chain it serves. */
export interface Identity {
  readonly method: string
  /** Undefined: the result names no chain. Otherwise whether it is the right one, and what the endpoint serves in words. */
  judge(result: unknown): { readonly isRight: boolean; readonly serves: string } | undefined
}

/** One URL of a chain. */
export interface Endpoint {
  /** Its place among the chain's URLs, and its host: the rest of a URL may contain a key. */
  readonly name: string
  /** Its response, or the reason why there is none: {@link OtherChain} if it serves another chain. */
  request(method: string, params: readonly unknown[]): Promise<RpcAnswer | Error>
  /** Asks it which chain it serves. Undefined: the right one; otherwise the reason, as for requests. */
  identify(): Promise<Error | undefined>
}

/** The endpoint serves another chain, so it is asked nothing else. */
export class OtherChain extends Error {
  override readonly name = 'OtherChain'
}

interface EndpointParts {
  readonly name: string
  readonly url: string
  /** Unset: nothing tells this chain from others. */
  readonly identity?: Identity | undefined
  /** Called once when it turns out to serve another chain. */
  readonly onOtherChain?: ((reason: string) => void) | undefined
}

const TIMEOUT_MS = 10_000
/** The largest needed response is a block's header with its hashes. */
const MAX_RESPONSE_BYTES = 4_194_304

/**
 * Identifies the chain before the first request, and again after each one without a response: who was away may come back
 * as somebody else.
 */
export function createEndpoint({ name, url, identity, onOtherChain }: EndpointParts): Endpoint {
  const target = separateUser(url)
  let isRight = identity === undefined
  let isOther = false
  let identifying: Promise<Error | undefined> | undefined

  async function identifyNow({ method, judge }: Identity): Promise<Error | undefined> {
    const answer = await exchange(target, method, [])
    if (answer instanceof Error) return answer
    const found = answer.error == null ? judge(answer.result) : undefined
    if (found === undefined) return new Error(`${method} returned no chain`)
    isRight = found.isRight
    if (isRight) {
      isOther = false
      return undefined
    }
    const reason = `RPC ${name} serves ${found.serves}`
    if (!isOther) onOtherChain?.(reason)
    isOther = true
    return new OtherChain(reason)
  }
  async function identify(): Promise<Error | undefined> {
    if (identity === undefined) return undefined
    identifying ??= identifyNow(identity).finally(() => {
      identifying = undefined
    })
    return await identifying
  }

  return {
    name,
    identify,
    async request(method, params) {
      const obstacle = isRight ? undefined : await identify()
      if (obstacle !== undefined) return obstacle
      const answer = await exchange(target, method, params)
      if (answer instanceof Error) isRight = identity === undefined
      return answer
    },
  }
}

interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** `fetch` refuses a user and password in a URL; they become a header. */
function separateUser(text: string): Target {
  const url = new URL(text)
  const headers = { 'content-type': 'application/json' }
  if (url.username === '' && url.password === '') return { url: text, headers }
  const credentials = `${unescaped(url.username)}:${unescaped(url.password)}`
  url.username = ''
  url.password = ''
  return {
    url: url.href,
    headers: { ...headers, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  }
}

/** A percent sign that escapes nothing is one of the password. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A reason never names the URL: it may contain a key. */
async function exchange(target: Target, method: string, params: readonly unknown[]): Promise<RpcAnswer | Error> {
  try {
    const response = await fetch(target.url, {
      method: 'POST',
      headers: target.headers,
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
