import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { RATE_LIMIT_WINDOW_SECONDS } from '../../../kernel/index.ts'
import type { RateLimiter, RateLimitResult } from './rate-limiter.ts'

/** Counters in this process. Exact if one process serves everything, as with the embedded database. */
export function createMemoryRateLimiter(): RateLimiter {
  // The limiter only counts. The limit differs by key, so it is compared here.
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: RATE_LIMIT_WINDOW_SECONDS })
  return {
    async consume(bucket, limit, points = 1) {
      return toRateLimitResult(await counter.consume(bucket, points), limit)
    },
    async close() {},
  }
}

/** Converts a limiter's result into a {@link RateLimitResult}. */
export function toRateLimitResult(result: RateLimiterRes, limit: number): RateLimitResult {
  return {
    allowed: result.consumedPoints <= limit,
    limit,
    remaining: Math.max(0, limit - result.consumedPoints),
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  }
}
