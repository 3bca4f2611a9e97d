import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, type Credential } from '../../../identity/index.ts'
import { Failure, RATE_LIMITS, type RateLimitName } from '../../../kernel/index.ts'
import { clientNetwork } from './client-address.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** The bucket that a request counts against. */
interface RateLimitBucket {
  readonly key: string
  readonly limit: number
}

/**
 * Counts a request and sets RateLimit-Limit, -Remaining and -Reset on its response. Throws RATE_LIMIT_EXCEEDED, with
 * Retry-After, if the bucket is empty (spec 8, contract 5).
 */
export async function enforceRateLimit(
  limits: RateLimiter,
  bucket: RateLimitBucket,
  reply: FastifyReply,
): Promise<void> {
  const taken = await limits.consume(bucket.key, bucket.limit)
  reply.header('RateLimit-Limit', taken.limit)
  reply.header('RateLimit-Remaining', taken.remaining)
  reply.header('RateLimit-Reset', taken.resetSeconds)
  if (taken.allowed) return
  reply.header('Retry-After', taken.resetSeconds)
  throw new Failure('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds: taken.resetSeconds } })
}

/** Refuses a request like {@link enforceRateLimit}, without counting it: its bucket is known to be empty. */
export function refuseUncounted({ limit }: RateLimitBucket, seconds: number, reply: FastifyReply): never {
  reply.header('RateLimit-Limit', limit)
  reply.header('RateLimit-Remaining', 0)
  reply.header('RateLimit-Reset', seconds)
  reply.header('Retry-After', seconds)
  throw new Failure('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds: seconds } })
}

/** Each key, user and service account has a bucket per named limit. An organization can have a higher limit than the default. */
export function bucketOfCredential(credential: Credential, name: RateLimitName, multiplier: number): RateLimitBucket {
  const { type, id } = actorOf(credential)
  const standard = RATE_LIMITS[name]
  const limit = Math.max(standard, credential.rateLimitOverrides[name] ?? 0)
  return { key: `${name}:${type}:${id}`, limit: scaled(limit, multiplier) }
}

/**
 * Callers without a credential are counted by address. `purpose` separates the buckets of probes and pages, of sign-in,
 * and of refused credentials, so that none starves another.
 */
export function bucketOfAddress(
  request: FastifyRequest,
  purpose: 'open' | 'auth' | 'refused' | 'validate',
  name: RateLimitName,
  multiplier: number,
): RateLimitBucket {
  return { key: `${name}:${purpose}:${clientNetwork(request)}`, limit: scaled(RATE_LIMITS[name], multiplier) }
}

/** A stable digest of the caller's network, for places where the address itself must not be stored. */
export function clientNetworkDigest(request: FastifyRequest): string {
  return createHash('sha256').update(clientNetwork(request)).digest('base64url')
}

function scaled(limit: number, multiplier: number): number {
  return Math.max(1, Math.floor(limit * multiplier))
}
