import type { Pool } from 'pg'
import {
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterStoreAbstract,
} from 'rate-limiter-flexible'
import type { Log } from '../../../kernel/index.ts'
import { createMemoryRateLimiter, toRateLimitResult, WINDOW_SECONDS } from './memory-rate-limiter.ts'
import type { RateLimiter, RateLimitResult } from './rate-limiter.ts'

const TABLE = 'rate_limit_counters'

/**
 * Counters in PostgreSQL, so that limits hold across processes (contract 5): one upsert a request. The table is
 * unlogged: what a crash loses is a minute's count.
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
        duration: WINDOW_SECONDS,
        inMemoryBlockOnConsumed: points,
      })
    },
    sweeping(pool, log),
  )
}

/** Counters in Redis, for high rates over several processes (REDIS_URL). */
export async function createRedisRateLimiter(url: string, log: Log): Promise<RateLimiter> {
  // 6 MB of memory and a tenth of a second of the start, for those only who use it.
  const { Redis } = await import('ioredis')
  // Without the off-line queue a lost Redis fails at once, and the request is counted in memory instead of waiting.
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 500,
  })
  redis.on('error', (error) => log.warn({ err: error }, 'the rate limit store (Redis) reports an error'))
  return shared(
    log,
    (points) => {
      const store = { storeClient: redis, keyPrefix: 'weir:limit', rejectIfRedisNotReady: true }
      return new RateLimiterRedis({ ...store, points, duration: WINDOW_SECONDS, inMemoryBlockOnConsumed: points })
    },
    async () => redis.disconnect(),
  )
}

/**
 * Limits over a store that can fail. While it does, this process counts in memory: the limits then hold per process
 * instead of across them, and nobody is turned away because of it.
 */
function shared(
  log: Log,
  create: (points: number) => RateLimiterStoreAbstract,
  close: () => Promise<void>,
): RateLimiter {
  const limiters = new Map<number, RateLimiterStoreAbstract>()
  const fallback = createMemoryRateLimiter()
  let failing = false
  return {
    async consume(bucket, most): Promise<RateLimitResult> {
      const limiter = limiters.get(most) ?? create(most)
      limiters.set(most, limiter)
      try {
        const result = await limiter.consume(bucket)
        if (failing) log.info('the rate limit store answers again')
        failing = false
        return toRateLimitResult(result, most)
      } catch (error) {
        // A limiter rejects with its result when a bucket is empty, and with an error when its store fails.
        if (error instanceof RateLimiterRes) return { ...toRateLimitResult(error, most), allowed: false, remaining: 0 }
        if (!failing) log.error({ err: error }, 'the rate limit store fails; counting in memory until it answers')
        failing = true
        return fallback.consume(bucket, most)
      }
    },
    close,
  }
}

/** How PostgreSQL tells the slower of two that create one table: its type, its name or its row is there already. */
const RACED = new Set(['23505', '42710', '42P07'])

async function createTable(pool: Pool): Promise<void> {
  try {
    await pool.query(
      `create unlogged table if not exists ${TABLE} (key text primary key, points integer not null default 0, expire bigint)`,
    )
  } catch (error) {
    // Processes that start together may all find no table.
    const raced = error instanceof Error && 'code' in error && RACED.has(String(error.code))
    if (!raced) throw error
  }
}

/** Removes buckets nobody used for an hour, every five minutes; the returned function ends it. */
function sweeping(pool: Pool, log: Log): () => Promise<void> {
  const timer = setInterval(() => {
    pool.query(`delete from ${TABLE} where expire < $1`, [Date.now() - 3_600_000]).catch((error: unknown) => {
      log.warn({ err: error }, 'old rate limit counters could not be removed')
    })
  }, 300_000)
  timer.unref()
  return async () => clearInterval(timer)
}
