import type { Config } from '../config.ts'
import type { OpenDatabase } from '../database/index.ts'
import type { Log } from '../kernel/index.ts'
import { type Limits, memoryLimits, postgresLimits, redisLimits } from '../surfaces/http/index.ts'

/** Rate limits hold across processes (decisions 5): in memory only where the embedded database allows one process. */
export async function limitsOf(config: Config, pool: OpenDatabase['pool'], log: Log): Promise<Limits> {
  if (config.redisUrl) return redisLimits(config.redisUrl, log)
  return config.databaseUrl ? postgresLimits(pool, log) : memoryLimits()
}
