/** The answer of a bucket after one request was taken from it. */
export interface RateLimitResult {
  readonly allowed: boolean
  /** Requests that fit into the window, before this one. */
  readonly limit: number
  /** Requests left in the window; never negative. */
  readonly remaining: number
  /** Seconds until the window starts anew, at least 1. */
  readonly resetSeconds: number
}

/** Counts requests in windows of one minute, wherever the counters live (spec 8, contract 5). */
export interface RateLimiter {
  /** Takes one from `bucket`, which holds `most` per minute. Never throws: a store that fails must not stop the service. */
  consume(bucket: string, most: number): Promise<RateLimitResult>
  close(): Promise<void>
}
