import type { FastifyReply } from 'fastify'
import type { Credential } from '../../../identity/index.ts'
import { Failure, ORGANIZATION_ALLOWANCES_MAX, ORGANIZATION_RATE_STEPS } from '../../../kernel/index.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** Requests that this process may still admit for an organization before it counts again. */
interface Allowance {
  left: number
  /** Milliseconds of `performance.now()` at which the window ends. */
  readonly until: number
}

/**
 * Limits the requests of all keys and users of an organization together. Each process takes a hundredth of the limit at
 * a time from the shared counter, so a request usually costs no statement; an organization at its limit is refused up
 * to one such step per process early.
 */
export class OrganizationLimit {
  readonly #limiter: RateLimiter
  readonly #perMinute: number
  readonly #multiplier: number
  readonly #allowances = new Map<number, Allowance>()

  constructor(limiter: RateLimiter, perMinute: number, multiplier: number) {
    this.#limiter = limiter
    this.#perMinute = perMinute
    this.#multiplier = multiplier
  }

  /** Undefined if the request is admitted at once. Rejects with RATE_LIMIT_EXCEEDED and sets Retry-After. */
  enforce({ organizationId, rateLimitOverrides }: Credential, reply: FastifyReply): Promise<void> | undefined {
    const allowance = this.#allowances.get(organizationId)
    if (allowance && allowance.left > 0 && allowance.until > performance.now()) {
      allowance.left -= 1
      return undefined
    }
    const perMinute = rateLimitOverrides.organization ?? this.#perMinute
    return this.#take(organizationId, Math.max(1, Math.floor(perMinute * this.#multiplier)), reply)
  }

  async #take(organizationId: number, limit: number, reply: FastifyReply): Promise<void> {
    const step = Math.max(1, Math.floor(limit / ORGANIZATION_RATE_STEPS))
    const taken = await this.#limiter.consume(`organization:${organizationId}`, limit, step)
    if (!taken.allowed) {
      reply.header('RateLimit-Limit', taken.limit)
      reply.header('RateLimit-Remaining', 0)
      reply.header('RateLimit-Reset', taken.resetSeconds)
      reply.header('Retry-After', taken.resetSeconds)
      throw new Failure('RATE_LIMIT_EXCEEDED', {
        message: 'All keys and users of the organization together send too many requests. Try again later.',
        details: { retryAfterSeconds: taken.resetSeconds, reason: 'organization_rate_limit' },
      })
    }
    if (this.#allowances.size >= ORGANIZATION_ALLOWANCES_MAX) this.#allowances.clear()
    const until = performance.now() + taken.resetSeconds * 1_000
    const unused = this.#allowances.get(organizationId)
    const carried = unused !== undefined && unused.until > performance.now() ? unused.left : 0
    this.#allowances.set(organizationId, { left: carried + step - 1, until })
  }
}
