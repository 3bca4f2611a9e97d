import type { Pool } from 'pg'
import {
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterStoreAbstract,
} from 'rate-limiter-flexible'
import {
  createOutageLog,
  type Log,
  RATE_LIMIT_STORE_TIMEOUT_MS,
  RATE_LIMIT_WINDOW_SECONDS,
} from '../../../kernel/index.ts'
import { createMemoryRateLimiter, toRateLimitResult } from './memory-rate-limiter.ts'
import type { RateLimiter, RateLimitResult } from './rate-limiter.ts'

const TABLE = 'rate_limit_counters'

/**
 * Counters in PostgreSQL, so that limits apply across processes (contract 5): one upsert per request. The table is
 * unlogged: a crash loses one minute of counts.
 */
export async function createPostgresRateLimiter(pool: Pool, log: Log): Promise<RateLimiter> {
  await createTable(pool)
  return shared(
    log,
    (points) => {
      const store = {
        storeClient: pool,
        storeType: 'pool',
        tableName: TABLE,
        tableCreated: true,
        clearExpiredByTimeout: false,
      }
      return new RateLimiterPostgres({
        ...store,
        keyPrefix: '',
        points,
        duration: RATE_LIMIT_WINDOW_SECONDS,
        inMemoryBlockOnConsumed: points,
      })
    },
    sweeping(pool, log),
  )
}

/** Counters in Redis, for high request rates across several processes (REDIS_URL). */
export async function createRedisRateLimiter(url: string, log: Log): Promise<RateLimiter> {
  // Loaded on demand: it costs 6 MB of memory and 100 ms at startup.
  const { Redis } = await import('ioredis')
  // Without the offline queue an unavailable Redis fails at once, and the request is counted in memory.
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: RATE_LIMIT_STORE_TIMEOUT_MS.connect,
    commandTimeout: RATE_LIMIT_STORE_TIMEOUT_MS.command,
  })
  const outage = createOutageLog(log, {
    away: 'the rate limit store (Redis) reports an error',
    back: 'the rate limit store (Redis) is connected again',
  })
  redis.on('error', (error) => outage.failed({ err: error }))
  redis.on('ready', () => outage.recovered())
  return shared(
    log,
    (points) => {
      const store = { storeClient: redis, keyPrefix: 'weir:limit', rejectIfRedisNotReady: true }
      return new RateLimiterRedis({
        ...store,
        points,
        duration: RATE_LIMIT_WINDOW_SECONDS,
        inMemoryBlockOnConsumed: points,
      })
    },
    async () => redis.disconnect(),
  )
}

/**
 * A rate limiter over a store that can fail. While it fails, this process counts in memory: limits then apply per
 * process, and no request is refused because of the failure.
 */
function shared(
  log: Log,
  create: (points: number) => RateLimiterStoreAbstract,
  close: () => Promise<void>,
): RateLimiter {
  const limiters = new Map<number, RateLimiterStoreAbstract>()
  const fallback = createMemoryRateLimiter()
  const outage = createOutageLog(log, {
    away: 'the rate limit store is unavailable; counting in memory until it recovers',
    back: 'the rate limit store is available again',
    level: 'error',
  })
  return {
    async consume(bucket, limit, points = 1): Promise<RateLimitResult> {
      const limiter = limiters.get(limit) ?? create(limit)
      limiters.set(limit, limiter)
      try {
        const result = await limiter.consume(bucket, points)
        outage.recovered()
        return toRateLimitResult(result, limit)
      } catch (error) {
        // A limiter rejects with a result if the bucket is empty, and with an error if its store fails.
        if (error instanceof RateLimiterRes) return { ...toRateLimitResult(error, limit), allowed: false, remaining: 0 }
        outage.failed({ err: error })
        return fallback.consume(bucket, limit, points)
      }
    },
    close,
  }
}

/** SQLSTATEs of losing a race to create a table: its type, its name or its catalog row already exists. */
const RACED = new Set(['23505', '42710', '42P07'])

async function createTable(pool: Pool): Promise<void> {
  try {
    await pool.query(
      `create unlogged table if not exists ${TABLE} (key text primary key, points integer not null default 0, expire bigint)`,
    )
  } catch (error) {
    // Processes that start together may all find the table missing.
    const raced = error instanceof Error && 'code' in error && RACED.has(String(error.code))
    if (!raced) throw error
  }
}

/** Every five minutes, deletes buckets unused for an hour. The returned function stops it. */
function sweeping(pool: Pool, log: Log): () => Promise<void> {
  const outage = createOutageLog(log, {
    away: 'failed to delete old rate limit counters',
    back: 'old rate limit counters can be deleted again',
  })
  const timer = setInterval(() => {
    pool.query(`delete from ${TABLE} where expire < $1`, [Date.now() - 3_600_000]).then(
      () => outage.recovered(),
      (error: unknown) => outage.failed({ err: error }),
    )
  }, 300_000)
  timer.unref()
  return async () => clearInterval(timer)
}
