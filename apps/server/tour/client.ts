import type { Say } from './layout.ts'

/** Access to a running sandbox, from `DATA_DIR/sandbox-credentials.json`. */
export interface Credentials {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  readonly organizationApiKey: string
  readonly profileApiKey: string
}

/** A plain v1 client: takes a path, returns JSON, and throws an error that includes the service's response. */
export function createClient(baseUrl: string, apiKey: string, say: Say) {
  async function call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
    if (response.status === 429 && Number.isFinite(retryAfter)) {
      say(`… waiting ${retryAfter} s for the rate limit`)
      await new Promise((resolve) => setTimeout(resolve, retryAfter * 1_000))
      return call<T>(method, path, body)
    }
    const answer = (await response.json()) as T & { code?: string; message?: string }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.code} ${answer.message}`)
    return answer
  }
  return {
    get: <T>(path: string) => call<T>('GET', path),
    post: <T>(path: string, body?: unknown) => call<T>('POST', path, body),
  }
}

export type Client = ReturnType<typeof createClient>

export interface Network {
  readonly blockchain: string
  readonly chainId?: number
  readonly rpcUrl: string
  readonly tokens: readonly { symbol: string; address: string; decimals: number }[]
}

export interface Strategy {
  readonly strategyId: number
  readonly name: string
  readonly token: string
  readonly tokenAddress: string
  readonly apy: number
  readonly status: string
}

export interface Venue {
  readonly blockchain: string
  readonly protocol: string
  readonly strategies: readonly Strategy[]
}

export interface Operation {
  readonly operationId: number
  readonly type: string
  readonly status: string
  readonly failureReason?: string
  readonly transactions: readonly {
    id: number
    status: string
    description: string
    unsignedTransaction?: string
    txHash?: string
    error?: string
  }[]
}
