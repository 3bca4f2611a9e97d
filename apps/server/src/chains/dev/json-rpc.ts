/** JSON-RPC 2.0 on the wire. */
export interface JsonRpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: string | number | null
  readonly method: string
  readonly params: readonly unknown[]
}

export interface JsonRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export type JsonRpcResponse = { readonly jsonrpc: '2.0'; readonly id: string | number | null } & (
  | { readonly result: unknown }
  | { readonly error: JsonRpcError }
)

export type JsonRpcOutcome = { readonly result: unknown } | { readonly error: JsonRpcError }

export function respond(id: JsonRpcRequest['id'], outcome: JsonRpcOutcome): JsonRpcResponse {
  return { jsonrpc: '2.0', id, ...outcome }
}

export function rpcError(code: number, message: string, data?: string): { readonly error: JsonRpcError } {
  return { error: { code, message, ...(data === undefined ? {} : { data }) } }
}
