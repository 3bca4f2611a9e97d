import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Database } from '../../../database/index.ts'
import type { KeyCredential, UserCredential } from '../../../identity/index.ts'
import type { Clock, Log, RandomSource } from '../../../kernel/index.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'

/** What routes are registered on: Fastify with the TypeBox type provider. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Judges credentials; identity implements it. */
export interface CredentialAuthenticator {
  /** An API key as it was sent. Throws INVALID_API_KEY, API_KEY_DISABLED, ORGANIZATION_NOT_FOUND. */
  key(text: string): Promise<KeyCredential>
  /** An access token. Throws UNAUTHORIZED. */
  bearer(token: string): Promise<UserCredential>
}

export interface ServerOptions {
  /** Every address that the service gives out begins with it (contract 2). */
  readonly publicUrl: string
  readonly environment: 'sandbox' | 'live'
  /** The service's version, shown by /health and /openapi.json. */
  readonly version: string
  /** Multiplies every rate limit. */
  readonly rateLimitMultiplier: number
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly random: RandomSource
  readonly authenticate: CredentialAuthenticator
  readonly rateLimiter: RateLimiter
  /** Named facts that must hold before /ready says yes; one that throws, says false or takes too long is a no. */
  readonly checks: Readonly<Record<string, () => Promise<boolean>>>
  /** Registers every route of the surfaces. */
  readonly routes: (app: App) => void
  /** How long running requests get at a stop; ten seconds (contract 2) unless a test says otherwise. */
  readonly drainMs?: number
  /** How long a second request with the same key waits for the first; five seconds unless a test says otherwise. */
  readonly idempotencyWaitMs?: number
  /** Keys the hashes of bodies that came with an idempotency key; the same in every process. */
  readonly bodySecret: string
}
