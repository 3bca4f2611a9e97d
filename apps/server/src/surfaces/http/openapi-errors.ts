import type { FastifyContextConfig } from 'fastify'
import { ERRORS } from '../../kernel/index.ts'
import { type Surface, surfaceOf } from './access.ts'

type Json = Record<string, unknown>

const requestId = {
  type: 'string',
  description: 'The `x-request-id` of this response; quote it when you ask for help.',
}
const message = { type: 'string', description: 'A sentence for people; may change.' }
const code = { type: 'string', enum: Object.keys(ERRORS).sort(), description: 'For programs; does not change.' }
const details = {
  type: 'object',
  additionalProperties: true,
  description: 'What belongs to this code, such as `issues: [{path, message}]` with VALIDATION_ERROR.',
}

/** Both error shapes (specification 7.1). */
export function errorComponents(): Record<string, Json> {
  return {
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

/** The error answers that a route can give because of its surface, access and limit. */
export function documentedErrors(path: string, config: FastifyContextConfig): Json {
  const surface = surfaceOf(path)
  const answer = answersOf(surface)
  const closed = config.access !== 'open' && config.access !== 'auth'
  return {
    400: answer('The request is not valid, or the resource refuses it; nothing was changed.'),
    ...(closed && {
      401: answer('No credential, or one that does not hold.'),
      403: answer('The credential was revoked, or does not allow this.'),
    }),
    ...(path.includes('{') && { 404: answer('There is no such resource within sight of the credential.') }),
    ...(config.idempotent && {
      409: answer('In conflict with what is there, or with the use of the idempotency key.'),
    }),
    ...(config.limit !== 'none' && { 429: answer('Too many requests; `Retry-After` says for how many seconds.') }),
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
