/** A failed request. `status` 0: no response, so the service may or may not have acted. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  readonly code: string
  readonly retryAfterMs: number | undefined

  constructor(status: number, code: string, message: string, retryAfterMs?: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
  }

  /** A permanent refusal: retrying the same request is pointless. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && ![401, 403, 408, 425, 429].includes(this.status)
  }

  /** The service rejects the API key. */
  get isDenied(): boolean {
    return this.status === 401 || this.status === 403
  }
}
