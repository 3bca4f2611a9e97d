/** A fresh data key and its wrapped form. */
export interface GeneratedDataKey {
  /** 64 hexadecimal digits; kept in memory only. */
  readonly key: string
  readonly wrapped: Buffer
  /** The key of the key service that wrapped it. */
  readonly wrappedBy: string
}

/** Wraps data keys with a key that never leaves it. Both calls throw a {@link KeyServiceError}. */
export interface KeyService {
  /** `id` is bound into the wrapped form: it unwraps under this id only. */
  generate(id: string): Promise<GeneratedDataKey>
  /** Returns 64 hexadecimal digits. */
  unwrap(wrapped: Uint8Array, id: string): Promise<string>
}

/** A failed call. Its message is one line for the operator. */
export class KeyServiceError extends Error {
  /** The key service will not open this data key; `false`: it could not be reached, or failed. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}
