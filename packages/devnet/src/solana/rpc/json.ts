/** An answer that refuses: its code is the JSON-RPC's or one of Solana's. */
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

/** Typed by no library of the language level that we name; every Node that we support has it. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** JSON with integers of 64 bits written in full, as nodes write them. */
export function stringify(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? rawJSON(part.toString()) : part))
}
