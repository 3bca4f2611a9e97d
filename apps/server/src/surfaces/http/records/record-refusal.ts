import type { FastifyRequest } from 'fastify'
import {
  actorOf,
  type SecurityEventFacts,
  type SecurityEventRecorder,
  type SecurityEventType,
} from '../../../identity/index.ts'
import { type ErrorCode, Failure, statusOf, USER_AGENT_LENGTH_MAX } from '../../../kernel/index.ts'
import { surfaceOf } from '../access/access.ts'
import { clientAddress, clientNetwork } from '../limits/client-address.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Where refusals are recorded; `undefined` in servers without it. */
    readonly securityEvents: SecurityEventRecorder | undefined
  }
}

/** Not found in what a credential can see. The catalogue's own codes, such as VENUE_NOT_FOUND, are no refusals. */
const OBJECT_CODES: ReadonlySet<ErrorCode> = new Set([
  'NOT_FOUND',
  'WALLET_NOT_FOUND',
  'OPERATION_NOT_FOUND',
  'TRANSACTION_NOT_FOUND',
  'RECIPIENT_NOT_FOUND',
  'ACCOUNT_NOT_FOUND',
])

/**
 * Records a failure as a security event if it refuses the caller: every 401, 403 and 429, whatever names a refusal, and
 * what {@link typeOf} adds. All errors of the service pass here once, so no route records its own. `status` is that of
 * the response if it is not the failure's.
 */
export function recordRefusal(request: FastifyRequest, failure: Failure, status?: number): void {
  const recorder = request.server.securityEvents
  const type = recorder && typeOf(request, failure)
  if (type === undefined) return
  recorder?.record(factsOf(request, failure, type, status), clientNetwork(request))
}

/** Records a part of a successful request that was refused, such as a role; `reason` is a snake_case word. */
export function recordPartialRefusal(
  request: FastifyRequest,
  {
    type,
    reason,
    organizationId,
    userId,
  }: {
    readonly type: SecurityEventType
    readonly reason: string
    readonly organizationId: number
    readonly userId: number
  },
): void {
  const refusal = { reason, organizationId, actor: { type: 'user', id: userId } } as const
  const facts = factsOf(request, new Failure('FORBIDDEN', { refusal }), type, 200)
  request.server.securityEvents?.record({ ...facts, code: null }, clientNetwork(request))
}

function typeOf(request: FastifyRequest, { code, refusal }: Failure): SecurityEventType | undefined {
  const { config, schema } = request.routeOptions
  const access = config?.access
  const { operationId } = (schema ?? {}) as { operationId?: string }
  const status = statusOf(code, 'core')
  const isRefused = refusal !== undefined || status === 401 || status === 403
  if (code === 'RATE_LIMIT_EXCEEDED') return 'rate_limited'
  if (operationId === 'register' && (isRefused || code === 'CONFLICT')) return 'registration_refused'
  if (code === 'TRANSACTION_MISMATCH') return 'transaction_mismatch'
  if (request.presented !== undefined) {
    if (OBJECT_CODES.has(code)) return 'object_not_found'
    if (status === 403 || code === 'ORGANIZATION_NOT_FOUND') return 'access_denied'
    return isRefused ? 'confirmation_refused' : undefined
  }
  if (access === 'auth') return isRefused ? 'sign_in_refused' : undefined
  if (typeof access === 'object')
    return isRefused || code === 'ORGANIZATION_NOT_FOUND' ? 'credential_refused' : undefined
  return isRefused ? 'request_refused' : undefined
}

function factsOf(
  request: FastifyRequest,
  failure: Failure,
  type: SecurityEventType,
  status: number | undefined,
): SecurityEventFacts {
  const { refusal } = failure
  const caller = callerOf(request)
  return {
    ...caller,
    type,
    organizationId: caller.organizationId ?? refusal?.organizationId ?? null,
    actorType: caller.actorType ?? refusal?.actor?.type ?? null,
    actorId: caller.actorType === null ? (refusal?.actor?.id ?? null) : caller.actorId,
    status: status ?? statusOf(failure.code, surfaceOf(request.raw.url ?? '')),
    code: failure.code,
    reason: refusal?.reason ?? reasonIn(failure),
  }
}

/** Records an event that is no refusal. */
export function recordEvent(request: FastifyRequest, type: SecurityEventType): void {
  const facts = { ...callerOf(request), type, status: null, code: null, reason: null }
  request.server.securityEvents?.record(facts, clientNetwork(request))
}

/** Who makes a request, from where, to which route. */
function callerOf(request: FastifyRequest) {
  const { presented } = request
  return {
    organizationId: presented?.organizationId ?? null,
    actorType: presented?.kind ?? null,
    actorId: presented === undefined ? null : actorOf(presented).id,
    address: clientAddress(request),
    userAgent: printable(request.headers['user-agent']),
    route: request.is404 ? null : (request.routeOptions.url ?? null),
    method: request.method,
    requestId: request.id,
  }
}

/** `details.reason` of a failure that has one. */
function reasonIn({ details }: Failure): string | null {
  const reason = details?.reason
  return typeof reason === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(reason) ? reason : null
}

/** Text of the caller that cannot break a line, a terminal or a column. */
function printable(text: string | undefined): string | null {
  if (text === undefined) return null
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').slice(0, USER_AGENT_LENGTH_MAX)
}
