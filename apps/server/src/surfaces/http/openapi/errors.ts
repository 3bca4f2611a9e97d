import type { FastifyContextConfig } from 'fastify'
import { ERRORS } from '../../../kernel/index.ts'
import { permissionOf, type Surface, surfaceOf } from '../access/access.ts'

type Json = Record<string, unknown>

const requestId = {
  type: 'string',
  description: 'The `x-request-id` of this response. Quote it when you contact support.',
}
const message = { type: 'string', description: 'Human-readable message; may change.' }
const code = { $ref: '#/components/schemas/ErrorCode' }
const details = {
  type: 'object',
  additionalProperties: true,
  description: 'Details of this error, such as `issues: [{path, message}]` for VALIDATION_ERROR.',
}

/** Both error shapes (spec 7.1). */
export function errorComponents(): Record<string, Json> {
  return {
    ErrorCode: {
      type: 'string',
      enum: Object.keys(ERRORS).sort(),
      description: 'Machine-readable error code. The meaning of a code never changes.',
    },
    CoreError: {
      type: 'object',
      description: 'An error on the core surface.',
      required: ['code', 'message', 'requestId'],
      properties: { code, message, details, requestId },
    },
    V1Error: {
      type: 'object',
      description: 'An error on the v1 surface.',
      required: ['statusCode', 'message', 'code', 'requestId'],
      properties: {
        statusCode: { type: 'integer', description: 'The HTTP status code.' },
        message,
        code,
        details,
        requestId,
      },
    },
  }
}

/** The error responses that follow from a route's surface, access and limit. */
export function documentedErrors(path: string, method: string, config: FastifyContextConfig): Json {
  const error = errorResponses(surfaceOf(path))
  const permission = permissionOf(config.access)
  const needsStepUp = typeof config.access === 'object' && config.access.surface === 'core' && config.access.stepUp
  const stepUp = needsStepUp
    ? ' `details.reason` is `step_up_required` if your second factor was not verified on this session recently: call `POST /api/core/auth/step-up`.'
    : ''
  const closed = config.access !== 'open' && config.access !== 'auth'
  // A body is validated even where none is expected.
  const writes = method !== 'get'
  return {
    400: error('The request is invalid, or the state of the resource does not allow it. Nothing changed.'),
    ...((closed || config.access === 'auth') && { 401: error('The credential is missing or invalid.') }),
    ...(closed && {
      403: error(
        permission === undefined
          ? `The credential was revoked or does not allow this request.${stepUp}`
          : `The credential was revoked or does not allow this request. A key needs the permission \`${permission}\`.${stepUp}`,
      ),
      404: error('The resource does not exist or is outside the scope of the credential.'),
    }),
    ...(config.forbidden !== undefined && { 403: error(config.forbidden) }),
    ...(config.notFound !== undefined && { 404: error(config.notFound) }),
    ...(config.conflict !== undefined && { 409: error(config.conflict) }),
    ...(config.localOnly && {
      403: error('The caller is not on the same machine as the service.'),
      404: error('No resource has this name.'),
    }),
    ...((config.idempotent || (closed && writes)) && {
      409: error(
        'The request conflicts with an existing resource, work in progress, a quota of the organization (`details.reason` is `quota_exceeded`), or an earlier use of the idempotency key.',
      ),
    }),
    ...(writes && {
      413: error('The body is larger than 1 MiB.'),
      415: error('The body is not JSON.'),
    }),
    429: error('Too many requests. Retry after the number of seconds in `Retry-After`.'),
    500: error('Unexpected server error.'),
    503: error(
      'The service or a chain is unavailable. If the response to a write is lost this way, repeat it with the same `Idempotency-Key`: it takes effect once.',
    ),
  }
}

function errorResponses(surface: Surface): (description: string) => Json {
  const name = surface === 'v1' ? 'V1Error' : 'CoreError'
  return (description) => ({
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  })
}
