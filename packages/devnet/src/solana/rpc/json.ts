/** An error response. `code` is one of JSON-RPC's or Solana's. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const INVALID_PARAMS = -32_602
export const METHOD_NOT_FOUND = -32_601

/** Not in the TypeScript library that we target, but every supported Node has it. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** JSON with 64-bit integers written in full, as nodes write them. */
export function stringify(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? rawJSON(part.toString()) : part))
}
