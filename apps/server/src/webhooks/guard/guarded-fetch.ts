import { type Dispatcher, request } from 'undici'

interface FetchOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

interface FetchLimits {
  /** From the connection to the last byte. */
  readonly timeoutMs: number
  readonly bytesMax: number
}

/** A response with one of these statuses has no body. */
const BODILESS = new Set([204, 205, 304])

/**
 * A `fetch` for servers that customers name: it connects through a guarded agent, follows no redirect, asks for no
 * compression (a small body could become a huge one), and throws if the response is too long or takes too long.
 */
export function createGuardedFetch(agent: Dispatcher, { timeoutMs, bytesMax }: FetchLimits) {
  return async (url: string, { method = 'GET', headers = {}, body, signal }: FetchOptions): Promise<Response> => {
    const deadline = AbortSignal.timeout(timeoutMs)
    const response = await request(url, {
      dispatcher: agent,
      method: method as Dispatcher.HttpMethod,
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: textOf(body),
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    const bytes = await readBody(response.body, bytesMax)
    const fields = Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
    )
    const { statusCode: status } = response
    return new Response(BODILESS.has(status) ? null : bytes, { status, headers: fields })
  }
}

function textOf(body: unknown): string | null {
  if (body === undefined || body === null) return null
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw new TypeError('only text and forms are sent')
}

async function readBody(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length
    if (bytes > bytesMax) {
      body.destroy()
      throw new Error(`the response has more than ${bytesMax} bytes`)
    }
    chunks.push(chunk as Buffer)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
