import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../../kernel/index.ts'
/** Texts and fixed parts of the API reference. */

export const DESCRIPTION = `Weir earns yield on idle stablecoins without ever holding a private key. The [documents](/docs/) explain how to use it.

Two surfaces serve the same resources:

- **v1** (\`/v1/...\`): for applications. API key in \`x-api-key\`, unwrapped bodies, money as strings of base units, rates as fractions.
- **core** (\`/api/...\`): for people and their agents. User session in \`Authorization: Bearer\` (or, where stated, an organization key in \`X-API-Key\`), bodies as \`{success, data}\`, money as decimal strings, rates in percent.

Request bodies are JSON of at most 1 MiB; an empty body counts as \`{}\`, unknown fields are ignored, and values in a body are not coerced. A request is checked in this order: credential, rate limit, scope, idempotency key, shape of the request, then the rules of the resource.

Every response carries \`x-request-id\` (the caller's own, if it is 1 to 128 letters, digits, dots, dashes or underscores) and the \`RateLimit-*\` headers. Every POST that creates or moves something takes an \`Idempotency-Key\`.`

export const securitySchemes = (cookieName: string) => ({
  bearer: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A user session: the `accessToken` that sign-in returns.',
  },
  apiKey: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'x-api-key',
    description: 'An API key with profile, admin (read-only) or organization scope.',
  },
  cookie: {
    type: 'apiKey' as const,
    in: 'cookie' as const,
    name: cookieName,
    description:
      'The session of a browser on the pages of this service, from a sign-in that requests a cookie. Requests that change something also need its CSRF token in a header.',
  },
})

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored.',
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX },
} as const

export const CHANGE_REQUEST_ID = {
  name: 'Change-Request-Id',
  in: 'header',
  required: false,
  description:
    'The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header.',
  schema: { type: 'integer', minimum: 1 },
} as const

const integer = { type: 'integer' } as const

/** `required`: every response that lists the header has it. */
export const COMMON_HEADERS = {
  RequestId: { required: true, description: 'Identifies this request in the logs.', schema: { type: 'string' } },
  RateLimitLimit: { required: true, description: 'Requests allowed per window of one minute.', schema: integer },
  RateLimitRemaining: { required: true, description: 'Requests left in this window.', schema: integer },
  RateLimitReset: { required: true, description: 'Seconds until the window resets.', schema: integer },
  RetryAfter: { required: true, description: 'Seconds to wait before retrying.', schema: integer },
  RetryLater: {
    required: false,
    description: 'Seconds after which the same request may succeed. Absent where time alone changes nothing.',
    schema: integer,
  },
  TotalCount: { required: true, description: 'Number of entries on all pages.', schema: integer },
  Deprecation: {
    required: false,
    description:
      'When the endpoint was deprecated (RFC 9745): `@` and seconds since 1970. Absent if a request is refused early.',
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    required: false,
    description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`; else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const

/** What decides which headers a response has. */
export interface HeaderFacts {
  readonly status: string
  readonly isIdempotent: boolean
  readonly isCounted: boolean
  readonly isDeprecated: boolean
}

/** Responses that are not stored with an idempotency key (contract 5). */
const NOT_STORED = /^(401|403|408|429|5..)$/

/** The headers of a response. */
export function headerRefs({ status, isIdempotent, isCounted, isDeprecated }: HeaderFacts): Record<string, object> {
  const ref = (name: keyof typeof COMMON_HEADERS) => ({ $ref: `#/components/headers/${name}` })
  const succeeds = status.startsWith('2')
  return {
    'x-request-id': ref('RequestId'),
    'RateLimit-Limit': ref('RateLimitLimit'),
    'RateLimit-Remaining': ref('RateLimitRemaining'),
    'RateLimit-Reset': ref('RateLimitReset'),
    ...(status === '429' && { 'Retry-After': ref('RetryAfter') }),
    ...((status === '503' || (status === '409' && isIdempotent)) && { 'Retry-After': ref('RetryLater') }),
    ...(isIdempotent && !NOT_STORED.test(status) && { 'Idempotency-Replayed': ref('IdempotencyReplayed') }),
    ...(isCounted && succeeds && { 'X-Total-Count': ref('TotalCount') }),
    ...(isDeprecated && { Deprecation: ref('Deprecation') }),
  }
}
