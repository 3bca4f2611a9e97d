import type { Config } from '../../config.ts'
import type { OpenDatabase } from '../../database/index.ts'
import type { Log } from '../../kernel/index.ts'
import {
  createMemoryRateLimiter,
  createPostgresRateLimiter,
  createRedisRateLimiter,
  type RateLimiter,
} from '../../surfaces/http/index.ts'

/**
 * Rate limits apply across processes (contract 5). With the embedded database there is one process, which counts in
 * memory.
 */
export async function createRateLimiter(config: Config, pool: OpenDatabase['pool'], log: Log): Promise<RateLimiter> {
  if (config.redisUrl) return createRedisRateLimiter(config.redisUrl, log)
  return config.databaseUrl ? createPostgresRateLimiter(pool, log) : createMemoryRateLimiter()
}
