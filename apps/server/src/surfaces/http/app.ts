import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ChangeParts } from '../../changes/index.ts'
import type { Database, WorkReport } from '../../database/index.ts'
import type {
  KeyCredential,
  KeyErrorRecorder,
  KeyRequestRecorder,
  SecurityEventRecorder,
  ServiceAccountCredential,
  UserCredential,
} from '../../identity/index.ts'
import type { Clock, KeyRing, Log, RandomSource, Sealer } from '../../kernel/index.ts'
import type { RateLimiter } from './limits/rate-limiter.ts'

/** The Fastify instance that routes are registered on, with the TypeBox type provider. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Authenticates credentials; implemented by identity. */
export interface CredentialAuthenticator {
  /**
   * An API key as it was sent, from the caller's address. Throws INVALID_API_KEY, API_KEY_DISABLED, FORBIDDEN (the
   * address), ORGANIZATION_NOT_FOUND.
   */
  key(text: string, from: string): Promise<KeyCredential>
  /**
   * An access token, or a secret of a service account, from the caller's address. Throws UNAUTHORIZED; for a secret also
   * FORBIDDEN (the address) and ORGANIZATION_NOT_FOUND.
   */
  bearer(token: string, from: string): Promise<UserCredential | ServiceAccountCredential>
  /** The value of a browser's session cookie; absent: cookies are not read. Throws UNAUTHORIZED. */
  cookie?(value: string): Promise<UserCredential>
}

export interface ServerOptions {
  /** The base of every URL that the service returns (contract 2). */
  readonly publicUrl: string
  readonly environment: 'sandbox' | 'live'
  /** The service's version, shown by /health and /openapi.json. */
  readonly version: string
  /** Multiplies every rate limit. */
  readonly rateLimitMultiplier: number
  /** Requests per minute of an organization, before the multiplier; 30,000 if absent. */
  readonly organizationRateLimit?: number
  /** Proxies, as CIDRs, whose X-Forwarded-For names the caller; none if absent. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Certificate and key in PEM; without them the server speaks plain HTTP. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined
  /** Whether `/metrics` is served here. True by default. */
  readonly servesMetrics?: boolean
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly random: RandomSource
  readonly authenticate: CredentialAuthenticator
  readonly rateLimiter: RateLimiter
  /** Where refused requests are recorded; nowhere if absent. */
  readonly securityEvents?: SecurityEventRecorder | undefined
  /** Where failed requests of keys are counted; nowhere if absent. */
  readonly keyErrors?: KeyErrorRecorder | undefined
  /** Where requests of keys and service accounts are recorded; nowhere if absent. */
  readonly keyRequests?: KeyRequestRecorder | undefined
  /** Readiness checks by name. A check that returns false, throws or takes too long fails. */
  readonly checks: Readonly<Record<string, () => Promise<boolean>>>
  /** What `/ready` warns of although every check passes, as snake_case words; nothing if absent. */
  readonly warnings?: () => Promise<readonly string[]>
  /** Whether requests that may write are refused because their effect would not be safe; never if absent. */
  readonly refusesWrites?: () => boolean
  /** Who runs which periodic job; absent in a process that runs none. */
  readonly work?: (() => WorkReport) | undefined
  /** Registers every route of the surfaces. */
  readonly routes: (app: App) => void
  /** How long running requests may take during shutdown; ten seconds (contract 2) except in tests. */
  readonly drainMs?: number
  /** How long a request may take to arrive; 30 seconds except in tests. */
  readonly arrivalMs?: number
  /** How long the check of a credential holds while a request waits; one second except in tests. */
  readonly credentialFreshMs?: number
  /** How long a streamed response waits for a client that takes nothing; a minute except in tests. */
  readonly responseStalledMs?: number
  /** How long a TLS handshake may take; ten seconds except in tests. */
  readonly handshakeMs?: number
  /** How long a second request with the same key waits for the first; five seconds except in tests. */
  readonly idempotencyWaitMs?: number
  /** HMAC keys for the body hashes of idempotent requests, the same in every process: the current one hashes, all compare. */
  readonly bodySecret: KeyRing | string
  /** Encrypts and recognizes change requests; the same in every process. */
  readonly changes: Pick<ChangeParts, 'sealer' | 'fingerprintKey'>
  /** Seals the stored responses of idempotent requests; without it they are stored in plain text. */
  readonly responseSealer?: Sealer
}
