import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../../kernel/index.ts'
/** Texts and fixed parts of the API reference. */

export const DESCRIPTION = `Weir earns yield on idle stablecoins without ever holding a private key.

Two surfaces serve the same resources:

- **v1** (\`/v1/...\`): for applications. API key in \`x-api-key\`, unwrapped bodies, money as strings of base units, rates as fractions.
- **core** (\`/api/...\`): for people and their agents. User session in \`Authorization: Bearer\` (or, where stated, an organization key in \`X-API-Key\`), bodies as \`{success, data}\`, money as decimal strings, rates in percent.

Request bodies are JSON of at most 1 MiB; an empty body counts as \`{}\`, unknown fields are ignored, and values in a body are not coerced. A request is checked in this order: credential, rate limit, scope, idempotency key, shape of the request, then the rules of the resource.

Every response carries \`x-request-id\` (the caller's own, if it is 1 to 128 letters, digits, dots, dashes or underscores) and the \`RateLimit-*\` headers. Every POST that creates or moves something takes an \`Idempotency-Key\`.`

export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A user session: the `accessToken` that login returns.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'An API key with profile, admin (read-only) or organization scope.',
  },
} as const

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running, or the method, path or body differs: 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored.',
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

export const COMMON_HEADERS = {
  RequestId: { description: 'Identifies this request in the logs.', schema: { type: 'string' } },
  RateLimitLimit: { description: 'Requests allowed per window of one minute.', schema: integer },
  RateLimitRemaining: { description: 'Requests left in this window.', schema: integer },
  RateLimitReset: { description: 'Seconds until the window resets.', schema: integer },
  RetryAfter: { description: 'Seconds to wait before retrying.', schema: integer },
} as const

/** The headers of a response with this status. */
export function commonHeaderRefs(status: string): Record<string, { $ref: string }> {
  const ref = (name: keyof typeof COMMON_HEADERS) => ({ $ref: `#/components/headers/${name}` })
  return {
    'x-request-id': ref('RequestId'),
    'RateLimit-Limit': ref('RateLimitLimit'),
    'RateLimit-Remaining': ref('RateLimitRemaining'),
    'RateLimit-Reset': ref('RateLimitReset'),
    ...(status === '429' && { 'Retry-After': ref('RetryAfter') }),
  }
}
