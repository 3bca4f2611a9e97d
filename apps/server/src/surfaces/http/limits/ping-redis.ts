import { RATE_LIMIT_STORE_TIMEOUT_MS } from '../../../kernel/index.ts'

/** Connects to Redis as the rate limiter does, logs in, and sends PING. Throws what Redis or the network says. */
export async function pingRedis(url: string): Promise<void> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: RATE_LIMIT_STORE_TIMEOUT_MS.connect,
  })
  // A refused login is only emitted; the call after it says no more than that the connection was closed.
  let refusal: Error | undefined
  redis.on('error', (error) => {
    refusal ??= error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    throw refusal ?? error
  } finally {
    redis.disconnect()
  }
}
