/** The service did not do what it was asked. `status` 0: it gave no answer, and may or may not have done it. */
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

  /** It understood and said no: asking the same again is no use. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && ![401, 403, 408, 425, 429].includes(this.status)
  }

  /** The key is not, or no longer, accepted. */
  get isDenied(): boolean {
    return this.status === 401 || this.status === 403
  }
}
