/** What the runtime knows about an operation of the OpenAPI document. */
export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** With `{name}` for a path parameter; at most one. */
  readonly path: string
  /** Where the input goes; absent: the operation takes none. */
  readonly takes?: 'body' | 'query'
  /** The operation accepts an Idempotency-Key. */
  readonly idempotent?: true
  /** The response is not JSON. */
  readonly raw?: true
  /** The field of a list's entries, null for a bare array, and the parameter that pages it. */
  readonly list?: { readonly items: string | null; readonly by: 'offset' | 'after' | 'cursor' }
}

export type OperationTable = Readonly<Record<string, OperationRow>>
