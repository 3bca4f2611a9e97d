/** The state of a bucket after one request was counted. */
export interface RateLimitResult {
  readonly allowed: boolean
  /** Requests allowed per window. */
  readonly limit: number
  /** Requests left in the window; never negative. */
  readonly remaining: number
  /** Seconds until the window resets, at least 1. */
  readonly resetSeconds: number
}

/** Counts requests in windows of one minute, whatever stores the counters (spec 8, contract 5). */
export interface RateLimiter {
  /**
   * Counts requests, one if `points` is absent, against `limit` per minute. Never throws: a failing store must not stop
   * the service.
   */
  consume(bucket: string, limit: number, points?: number): Promise<RateLimitResult>
  close(): Promise<void>
}
