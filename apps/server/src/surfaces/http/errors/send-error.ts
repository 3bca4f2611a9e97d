import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable, isStorageFault } from '../../../database/index.ts'
import {
  type ErrorDetails,
  Failure,
  formatDecimal,
  Money,
  statusOf,
  UNAVAILABLE_RETRY_SECONDS,
} from '../../../kernel/index.ts'
import { type Surface, surfaceOf } from '../access/access.ts'
import { recordKeyError } from '../records/record-key-error.ts'
import { recordRefusal } from '../records/record-refusal.ts'

/** A failure in the error shape of the surface (spec 7.1, contract 4). */
export function errorBody(surface: Surface, failure: Failure, requestId: string): Record<string, unknown> {
  const { code, message, details } = failure
  const status = statusOf(code, surface)
  const shape: { details?: ErrorDetails; requestId: string } = {
    ...(details && { details: presentDetails(surface, details) }),
    requestId,
  }
  return surface === 'v1' ? { statusCode: status, message, code, ...shape } : { code, message, ...shape }
}

/** Amounts in the surface's own format: base units on v1, decimals on core (spec 2.1). */
function presentDetails(surface: Surface, details: ErrorDetails): ErrorDetails {
  const present = ({ baseUnits, decimals }: Money): string =>
    surface === 'v1' ? baseUnits.toString() : formatDecimal(baseUnits, decimals)
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, value instanceof Money ? present(value) : value]),
  )
}

/**
 * Responds to every error. A {@link Failure} is sent as is, and Fastify's own errors are mapped to failures. Everything
 * else is a defect: the client gets INTERNAL_ERROR and the log gets the details.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = failureOf(error)
  recordRefusal(request, failure)
  recordKeyError(request, failure)
  request.failureCode = failure.code
  if (failure.code === 'INTERNAL_ERROR') request.log.error({ err: error }, 'request failed with an internal error')
  else if (failure !== error || failure.cause !== undefined) logError(request, failure, error)
  const surface = surfaceOf(request.raw.url ?? '')
  if (failure.code === 'RATE_LIMIT_EXCEEDED' && !reply.hasHeader('retry-after'))
    reply.header('Retry-After', failure.details?.retryAfterSeconds ?? reply.getHeader('ratelimit-reset') ?? 60)
  if (failure.code === 'NOT_READY') reply.header('Retry-After', UNAVAILABLE_RETRY_SECONDS)
  reply
    .code(statusOf(failure.code, surface))
    .type('application/json; charset=utf-8')
    // The route's own serializer would force the error into its schema if it declares one for this status.
    .serializer(JSON.stringify)
    .send(errorBody(surface, failure, request.id))
}

function logError(request: FastifyRequest, failure: Failure, error: unknown): void {
  // The connection pool logs an unavailable database once.
  const level = failure.code === 'NOT_READY' && !isDatabaseUnavailable(error) ? 'error' : 'debug'
  request.log[level]({ err: failure.cause ?? error, code: failure.code }, 'request refused')
}

/** The failure to report to the client for anything that was thrown. */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (isDatabaseUnavailable(error) || isStorageFault(error))
    return new Failure('NOT_READY', { message: 'The service is temporarily unavailable.', cause: error })
  if (isFrameworkError(error)) {
    switch (error.statusCode) {
      case 400:
        return new Failure('VALIDATION_ERROR', {
          message: 'The request could not be read.',
          details: { issues: [{ path: 'request', message: 'could not be read' }] },
          cause: error,
        })
      // A path parameter that is longer than any id.
      case 414:
      case 404:
        return new Failure('NOT_FOUND', { cause: error })
      case 413:
        return new Failure('PAYLOAD_TOO_LARGE', { cause: error })
      case 415:
        return new Failure('UNSUPPORTED_MEDIA_TYPE', { cause: error })
    }
  }
  return new Failure('INTERNAL_ERROR', { cause: error })
}

/** Fastify's own errors, and a client that disconnected while its body was read; not errors thrown by a route. */
function isFrameworkError(error: unknown): error is FastifyError {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return false
  return typeof error.code === 'string' && (error.code.startsWith('FST_ERR_') || error.code === 'ECONNRESET')
}
