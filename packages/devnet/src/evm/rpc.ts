/** A minimal JSON-RPC client for one local node. */
export type Rpc = {
  readonly url: string
  /** Throws RpcError with the node's message, or fetch's error when nothing responds. */
  call<Result>(method: string, params?: readonly unknown[]): Promise<Result>
  /** Sends all calls in one request; returns results in the order of the calls. Throws on the first error. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>
}

export type RpcCall = readonly [method: string, ...params: unknown[]]

/** The node's answer is an error; its message names the reason of a revert. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
}

type Reply = { readonly id: number; readonly result?: unknown; readonly error?: { readonly message: string } }

/** No local call takes longer, not even mining a year of blocks. A node that hangs must not block its caller. */
const TIMEOUT_MS = 30_000

export function rpcClient(url: string): Rpc {
  async function post(body: unknown): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return response.json()
  }

  async function batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    if (calls.length === 0) return []
    const requests = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const replies = (await post(requests)) as readonly Reply[]
    const results: unknown[] = []
    for (const reply of replies) results[reply.id] = resultOf(calls[reply.id]?.[0] ?? 'batch', reply)
    return results
  }

  return {
    url,
    batch,
    async call<Result>(method: string, params: readonly unknown[] = []) {
      const reply = (await post({ jsonrpc: '2.0', id: 0, method, params })) as Reply
      return resultOf(method, reply) as Result
    },
  }
}

function resultOf(method: string, reply: Reply): unknown {
  if (reply.error !== undefined) throw new RpcError(`${method}: ${reply.error.message}`)
  return reply.result
}
