import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ChangeKind,
  type ChangeParts,
  type ChangeRequester,
  checkChangeClaim,
  completeChangeRequest,
  fingerprintOf,
  readChangeRules,
  requestChange,
  requireEnoughApprovers,
  requireNoRule,
  ruleFor,
} from '../../../changes/index.ts'
import type { Role, Transact } from '../../../database/index.ts'
import { actorOf } from '../../../identity/index.ts'
import { assert, Failure, validationError } from '../../../kernel/index.ts'
import { surfaceOf } from '../access/access.ts'
import type { App } from '../app.ts'
import { clientAddress } from '../limits/client-address.ts'
import { presentChangeRequested } from '../schemas/change-request.ts'
import { maskedContent } from './masked-content.ts'
import { runVerb } from './run-verb.ts'

/** Puts a route under the organization's rules for changes. */
export interface ChangeRouteConfig {
  readonly kind: ChangeKind
  /** Whether this request makes such a change; every request by default. */
  readonly applies?: (request: FastifyRequest) => boolean
  /** The path parameter with the member whom the change is about, and the field of the body with the role that it gives. */
  readonly concerns?: { readonly param: string; readonly role?: string }
  /** Paths in the body that approvers do not see, such as `password`. */
  readonly secrets?: readonly string[]
  /** Paths in the body of which approvers see the last four characters. */
  readonly numbers?: readonly string[]
}

/** Extends a verb's transaction by what permits it. */
export type ChangeGuard = <R>(transact: Transact<R>) => Transact<R>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The change that the route makes, if organizations can demand approvals for it. */
    change?: ChangeRouteConfig
  }
  interface FastifyRequest {
    /** What the verb must commit with; `undefined` if the request makes no such change. */
    changeGuard: ChangeGuard | undefined
    /** When the change that it completes was requested; `undefined` if it completes none. */
    changeRequestedAt: Date | undefined
  }
}

const HEADER = 'change-request-id'

/**
 * Stops a request whose change needs approval, before its handler: core answers 202 with the change request, v1 403
 * FORBIDDEN with its id. A request with the header `Change-Request-Id` completes the approved change: the claim is
 * checked here, before the handler may call a banking partner, and again in the verb's transaction. Registered after
 * validation, because approvers see a request that is valid.
 */
export function guardChanges(app: App, parts: ChangeParts): void {
  app.decorateRequest('changeGuard', undefined)
  app.decorateRequest('changeRequestedAt', undefined)

  const guard = async (change: ChangeRouteConfig, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { kind } = change
    const caller = callerOf(request)
    const { organizationId } = caller
    const fingerprint = fingerprintOf(parts.fingerprintKey, {
      organizationId,
      method: request.method,
      route: request.routeOptions.url ?? '',
      params: request.params,
      // As it was sent: a completion that differs in any field is another request.
      query: request.sent?.query,
      body: request.sent?.body,
    })
    const header = request.headers[HEADER]
    if (header !== undefined) {
      const claim = { ...caller, kind, fingerprint, changeRequestId: idOf(header) }
      request.changeRequestedAt = await checkChangeClaim(parts, claim)
      request.changeGuard = guardOf(kind, organizationId, (transact) => completeChangeRequest(parts, claim, transact))
      return undefined
    }
    const rule = ruleFor(await readChangeRules(parts.db, organizationId), kind)
    if (rule === undefined) {
      request.changeGuard = guardOf(kind, organizationId, (transact) =>
        requireNoRule({ organizationId, kind }, transact),
      )
      return undefined
    }
    const { summary = '', operationId = '' } = (request.routeOptions.schema ?? {}) as {
      summary?: string
      operationId?: string
    }
    const content = { summary, ...maskedContent(request, change) }
    const concerns = concernedBy(change, request)
    const input = { ...caller, kind, rule, fingerprint, action: operationId, content, concerns }
    if (surfaceOf(request.url) === 'v1') throw changeRequired((await requestChange(parts, input)).id)
    // The verb writes its own entry: this request did not do what its route does.
    request.audit = undefined
    const present = (made: Parameters<typeof presentChangeRequested>[0]) =>
      presentChangeRequested(made, parts.clock.now())
    return reply.send(await runVerb(reply, 202, present, (transact) => requestChange(parts, input, transact)))
  }

  app.addHook('preHandler', (request, reply, done) => {
    const { change } = request.routeOptions.config
    if (change !== undefined && (change.applies?.(request) ?? true)) return guard(change, request, reply)
    return done()
  })
}

/** Changes of members must leave enough approvers, no matter who permits them. */
function guardOf(kind: ChangeKind, organizationId: number, permit: ChangeGuard): ChangeGuard {
  return kind === 'members' ? (transact) => requireEnoughApprovers(organizationId, permit(transact)) : permit
}

function callerOf(request: FastifyRequest) {
  const { credential } = request
  const requestedBy = actorOf(credential) as ChangeRequester
  return { organizationId: credential.organizationId, requestedBy, from: clientAddress(request) }
}

/** The member whom a validated request is about, by what its route declares. */
function concernedBy({ concerns }: ChangeRouteConfig, { params, body }: FastifyRequest) {
  if (concerns === undefined) return undefined
  const userId = (params as Record<string, number>)[concerns.param]
  assert(userId !== undefined, `the route has the parameter ${concerns.param}`)
  const role = concerns.role === undefined ? undefined : (body as Record<string, Role | undefined>)[concerns.role]
  return { userId, role }
}

function idOf(header: string | string[]): number {
  const id = /^[1-9]\d{0,15}$/.test(String(header)) ? Number(header) : Number.NaN
  if (!Number.isSafeInteger(id)) throw validationError('Change-Request-Id', 'must be the id of a change request')
  return id
}

/** v1 has one meaning for each success, so a change that needs approval is refused there. */
function changeRequired(changeRequestId: number): Failure {
  return new Failure('FORBIDDEN', {
    message: `This change needs approval. Once change request ${changeRequestId} is approved, repeat the request with the header Change-Request-Id: ${changeRequestId}.`,
    details: { reason: 'change_request_required', changeRequestId },
  })
}
