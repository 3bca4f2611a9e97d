/** The words and fixed parts of the API reference. */

export const DESCRIPTION = `Weir puts idle stablecoin money to work, without ever holding a key.

Two surfaces serve the same resources:

- **v1** (\`/v1/...\`): for applications. API key in \`x-api-key\`, bare bodies, money as base units in text, rates as fractions.
- **core** (\`/api/...\`): for people and their agents. User session in \`Authorization: Bearer\` (or, where it says so, an organization key in \`X-API-Key\`), bodies as \`{success, data}\`, money as decimals in text, rates in percent.

Request bodies are JSON of at most 1 MiB; an empty body counts as \`{}\`, unknown fields are ignored, and nothing in a body is coerced. What is wrong with a request is told in this order: credential, rate limit, scope, idempotency key, shape of the request, then the resource's own rules.

Every answer carries \`x-request-id\` (the caller's own, when it is 1 to 128 letters, digits, dots, dashes or underscores) and the \`RateLimit-*\` headers. Every POST that creates or moves something takes an \`Idempotency-Key\`.`

export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A user session: the `accessToken` of login.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'An API key: profile-scoped, admin (reads only) or of the organization.',
  },
} as const

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of 1 to 255 characters; its scope is the organization (before there is one: the path and the address). The same request with the same key, within 24 hours, has its effect once and gets the first answer again, with `Idempotency-Replayed: true`; secrets in it are null. While the first one runs, or with another method, path or body: 409 IDEMPOTENCY_CONFLICT. Failures on our side, 401, 403, 408 and 429 are not kept.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const

const integer = { type: 'integer' } as const

export const COMMON_HEADERS = {
  RequestId: { description: 'Names this request in our logs.', schema: { type: 'string' } },
  RateLimitLimit: { description: 'Requests that fit into one window of a minute.', schema: integer },
  RateLimitRemaining: { description: 'Requests left in this window.', schema: integer },
  RateLimitReset: { description: 'Seconds until the window starts anew.', schema: integer },
  RetryAfter: { description: 'Seconds after which a repetition can succeed.', schema: integer },
} as const

/** The headers that an answer with this status carries. */
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
