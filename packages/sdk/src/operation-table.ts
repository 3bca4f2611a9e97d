/** What the runtime knows about an operation of the OpenAPI document. */
export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** With `{name}` for a path parameter; at most one. */
  readonly path: string
  /** Where the input goes; absent: the operation takes none. */
  readonly takes?: 'body' | 'query'
  /** The operation accepts an Idempotency-Key. */
  readonly idempotent?: true
  /** The fields of the response's data that only the first response has: a replay has null there. */
  readonly secrets?: readonly string[]
  /** The response is not JSON. */
  readonly raw?: true
  readonly list?: OperationList
}

export interface OperationList {
  /** The field of the entries; null: the response is a bare array. */
  readonly items: string | null
  /** The parameter that pages it. */
  readonly by: 'offset' | 'after' | 'cursor'
  /** The fields that together identify an entry; absent: `id`. */
  readonly key?: readonly string[]
}

export type OperationTable = Readonly<Record<string, OperationRow>>
