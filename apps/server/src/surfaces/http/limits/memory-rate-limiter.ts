import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimiter, RateLimitResult } from './rate-limiter.ts'

export const WINDOW_SECONDS = 60

/** Counters in this process: exact where one process serves everything, as with the embedded database. */
export function createMemoryRateLimiter(): RateLimiter {
  // The limiter only counts; how much is too much differs by key and is judged here.
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS })
  return {
    async consume(bucket, most) {
      return toRateLimitResult(await counter.consume(bucket), most)
    },
    async close() {},
  }
}

/** A limiter's answer in the terms of the interface. */
export function toRateLimitResult(result: RateLimiterRes, most: number): RateLimitResult {
  return {
    allowed: result.consumedPoints <= most,
    limit: most,
    remaining: Math.max(0, most - result.consumedPoints),
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  }
}
