import type { FastifyReply } from 'fastify'
import type { Credential } from '../../../identity/index.ts'
import { Failure, ORGANIZATION_ALLOWANCES_MAX, ORGANIZATION_RATE_STEPS } from '../../../kernel/index.ts'
import type { RateLimiter, RateLimitResult } from './rate-limiter.ts'

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
  /** Counts under way. */
  readonly #takes = new Map<number, Promise<RateLimitResult>>()

  constructor(limiter: RateLimiter, perMinute: number, multiplier: number) {
    this.#limiter = limiter
    this.#perMinute = perMinute
    this.#multiplier = multiplier
  }

  /** Undefined if the request is admitted at once. Rejects with RATE_LIMIT_EXCEEDED and sets Retry-After. */
  enforce({ organizationId, rateLimitOverrides }: Credential, reply: FastifyReply): Promise<void> | undefined {
    if (this.#draw(organizationId)) return undefined
    const perMinute = rateLimitOverrides.organization ?? this.#perMinute
    return this.#admit(organizationId, Math.max(1, Math.floor(perMinute * this.#multiplier)), reply)
  }

  #draw(organizationId: number): boolean {
    const allowance = this.#allowances.get(organizationId)
    if (allowance === undefined || allowance.left <= 0 || allowance.until <= performance.now()) return false
    allowance.left -= 1
    return true
  }

  /** Requests at the same time share one step: a step for each would use up what other processes may admit. */
  async #admit(organizationId: number, limit: number, reply: FastifyReply): Promise<void> {
    for (;;) {
      const underWay = this.#takes.get(organizationId)
      const take = underWay ?? this.#take(organizationId, limit)
      this.#takes.set(organizationId, take)
      refuseBeyond(await take, reply)
      // The request that took the step has its place.
      if (underWay === undefined || this.#draw(organizationId)) return
    }
  }

  async #take(organizationId: number, limit: number): Promise<RateLimitResult> {
    const step = Math.max(1, Math.floor(limit / ORGANIZATION_RATE_STEPS))
    try {
      const taken = await this.#limiter.consume(`organization:${organizationId}`, limit, step)
      if (taken.allowed) this.#add(organizationId, step - 1, performance.now() + taken.resetSeconds * 1_000)
      return taken
    } finally {
      this.#takes.delete(organizationId)
    }
  }

  #add(organizationId: number, places: number, until: number): void {
    if (this.#allowances.size >= ORGANIZATION_ALLOWANCES_MAX) this.#allowances.clear()
    const unused = this.#allowances.get(organizationId)
    const carried = unused !== undefined && unused.until > performance.now() ? unused.left : 0
    this.#allowances.set(organizationId, { left: carried + places, until })
  }
}

function refuseBeyond(taken: RateLimitResult, reply: FastifyReply): void {
  if (taken.allowed) return
  reply.header('RateLimit-Limit', taken.limit)
  reply.header('RateLimit-Remaining', 0)
  reply.header('RateLimit-Reset', taken.resetSeconds)
  reply.header('Retry-After', taken.resetSeconds)
  throw new Failure('RATE_LIMIT_EXCEEDED', {
    message: 'All keys and users of the organization together send too many requests. Try again later.',
    details: { retryAfterSeconds: taken.resetSeconds, reason: 'organization_rate_limit' },
  })
}
