import { ApiError, type ErrorFacts } from './api-error.ts'
import { ERROR_CLASSES } from './generated/errors.ts'

/** The error of a response with a status of 400 or more. */
export async function errorOf(response: Response, sentId: string, idempotencyKey?: string): Promise<ApiError> {
  const body = await bodyOf(response)
  const facts: ErrorFacts = {
    code: typeof body.code === 'string' ? body.code : `HTTP_${response.status}`,
    message: typeof body.message === 'string' ? body.message : `The service responded with status ${response.status}.`,
    status: response.status,
    details: (body.details ?? {}) as Record<string, unknown>,
    requestId: response.headers.get('x-request-id') ?? sentId,
    retryAfterMs: retryAfterMsOf(response.headers.get('retry-after')),
    idempotencyKey,
  }
  return new (classOf(facts.code))(facts)
}

function classOf(code: string): typeof ApiError {
  // A newer service may have codes that this client does not know.
  return Object.hasOwn(ERROR_CLASSES, code)
    ? ((ERROR_CLASSES as Record<string, unknown>)[code] as typeof ApiError)
    : ApiError
}

/** A proxy in between may answer with text that is not JSON. */
async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** `Retry-After` has seconds or a date. */
export function retryAfterMsOf(text: string | null, now = Date.now()): number | undefined {
  if (text === null || text === '') return undefined
  const seconds = Number(text)
  const ms = Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1_000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
