/** The form that a result must have. Endpoints return anything, such as null for a block that they do not keep. */
export type Form<Result> = (result: unknown) => result is Result

const fieldsOf = (result: unknown) => (typeof result === 'object' && result !== null ? result : {}) as never

export function isQuantity(result: unknown): result is string {
  return typeof result === 'string' && /^0x[0-9a-f]{1,64}$/i.test(result)
}

export function isText(result: unknown): result is string {
  return typeof result === 'string'
}

export function isHeight(result: unknown): result is number {
  return typeof result === 'number' && Number.isSafeInteger(result)
}

export interface Header {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
}

export function isHeader(result: unknown): result is Header {
  const { number, hash, parentHash }: Record<string, unknown> = fieldsOf(result)
  return isQuantity(number) && isText(hash) && isText(parentHash)
}

/** A receipt, or null: no block includes the transaction. */
export function isReceipt(result: unknown): result is { readonly blockNumber: string } | null {
  const { blockNumber }: Record<string, unknown> = fieldsOf(result)
  return result === null || isQuantity(blockNumber)
}

/** A transaction that the node knows, without a block while it is pending; otherwise null. */
export function isTransaction(result: unknown): result is { readonly blockNumber: string | null } | null {
  const { blockNumber }: Record<string, unknown> = fieldsOf(result)
  return result === null || blockNumber === null || isText(blockNumber)
}

/** Solana: a value with the slot that it was read at. */
export function inContext<Value>(isValue: Form<Value>): Form<{ readonly value: Value }> {
  return (result): result is { readonly value: Value } => {
    const { value }: Record<string, unknown> = fieldsOf(result)
    return isValue(value)
  }
}

export function isFlag(result: unknown): result is boolean {
  return typeof result === 'boolean'
}

type Status = { readonly confirmationStatus: string | null } | null

export function isStatuses(result: unknown): result is readonly Status[] {
  return Array.isArray(result) && result.every((status) => typeof status === 'object')
}
