import type { FastifyContextConfig } from 'fastify'
import { ERRORS } from '../../../kernel/index.ts'
import { type Surface, surfaceOf } from '../pipeline/access.ts'

type Json = Record<string, unknown>

const requestId = {
  type: 'string',
  description: 'The `x-request-id` of this response; quote it when you ask for help.',
}
const message = { type: 'string', description: 'A sentence for people; may change.' }
const code = { $ref: '#/components/schemas/ErrorCode' }
const details = {
  type: 'object',
  additionalProperties: true,
  description: 'What belongs to this code, such as `issues: [{path, message}]` with VALIDATION_ERROR.',
}

/** Both error shapes (spec 7.1). */
export function errorComponents(): Record<string, Json> {
  return {
    ErrorCode: {
      type: 'string',
      enum: Object.keys(ERRORS).sort(),
      description: 'What went wrong, for programs; a code never changes its meaning.',
    },
    CoreError: {
      type: 'object',
      description: 'A failure on the core surface.',
      required: ['code', 'message', 'requestId'],
      properties: { code, message, details, requestId },
    },
    V1Error: {
      type: 'object',
      description: 'A failure on the v1 surface.',
      required: ['statusCode', 'message', 'code', 'requestId'],
      properties: {
        statusCode: { type: 'integer', description: 'The HTTP status again.' },
        message,
        code,
        details,
        requestId,
      },
    },
  }
}

/** The error answers that an operation can give because of its surface, access and limit. */
export function documentedErrors(path: string, method: string, config: FastifyContextConfig): Json {
  const answer = answersOf(surfaceOf(path))
  const closed = config.access !== 'open' && config.access !== 'auth'
  // Whatever body comes is judged, also where none is asked for.
  const writes = method !== 'get'
  return {
    400: answer('The request is not valid, or the resource refuses it; nothing was changed.'),
    ...((closed || config.access === 'auth') && { 401: answer('No credential, or one that does not hold.') }),
    ...(closed && {
      403: answer('The credential was revoked, or does not allow this.'),
      404: answer('There is no such resource within sight of the credential.'),
    }),
    ...(config.localOnly && {
      403: answer('The caller is not on the machine of the service.'),
      404: answer('There is nothing of this name.'),
    }),
    ...((config.idempotent || (closed && writes)) && {
      409: answer('In conflict with what is there, with what is in progress, or with the use of the idempotency key.'),
    }),
    ...(writes && {
      413: answer('The body is larger than 1 MiB.'),
      415: answer('The body is not JSON.'),
    }),
    429: answer('Too many requests; `Retry-After` says for how many seconds.'),
    500: answer('Something went wrong on our side.'),
    503: answer('The service or a chain cannot be reached; nothing was changed.'),
  }
}

function answersOf(surface: Surface): (description: string) => Json {
  const name = surface === 'v1' ? 'V1Error' : 'CoreError'
  return (description) => ({
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  })
}
