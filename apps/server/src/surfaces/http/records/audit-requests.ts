import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { inTransaction, type Tx } from '../../../database/index.ts'
import { type Actor, type AuditedActor, actorOf, appendAuditEntry, queueAuditEntry } from '../../../identity/index.ts'
import { surfaceOf } from '../access/access.ts'
import type { App, ServerOptions } from '../app.ts'
import { clientAddress } from '../limits/client-address.ts'
import type { AuditRecorder } from './record-audit-entry.ts'

/** Overrides how a route is recorded in the audit log. */
export interface AuditRouteConfig {
  /** Type of the object that the request changes; derived from the path by default. */
  readonly object?: string
  /** Path of the object's id, such as `data.user.id`; by default `params.id`, else the id in the response. */
  readonly id?: string
  /** The statement of the effect writes the entry itself, from {@link auditedActorOf}. */
  readonly byVerb?: true
  /** Fields of the request or the response to record. No secrets or personal data: entries are never deleted. */
  readonly details?: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Every request that may change something on the core surface is recorded in the audit log. This overrides how;
     * `false` skips requests that change nothing worth auditing.
     */
    audit?: AuditRouteConfig | false
  }
  interface FastifyRequest {
    /** Records this request in the audit log; `undefined` if it is not audited. */
    audit: AuditRecorder | undefined
  }
}

/** Object type by the first path segment of a resource; on v1 and for agents most routes name it themselves. */
export const AUDITED_OBJECTS: Readonly<Record<string, string>> = {
  allocations: 'allocation',
  apikeys: 'api_key',
  'approval-policy': 'approval_policy',
  breaks: 'ledger_break',
  'change-policy': 'change_policy',
  'change-requests': 'change_request',
  'circuit-breakers': 'circuit_breakers',
  custody: 'agent_action',
  'deposit-limits': 'deposit_limits',
  destinations: 'destination',
  invitations: 'member_invitation',
  members: 'member',
  operations: 'operation',
  organization: 'organization',
  'org-wallets': 'wallet',
  recipients: 'recipient',
  'saved-views': 'saved_view',
  'service-accounts': 'service_account',
  'wallet-profiles': 'wallet_profile',
  wallets: 'operational_wallet',
  sso: 'sso_provider',
  'strategy-caps': 'strategy_cap',
  webhooks: 'webhook',
}

/** Who makes the request, and how its entry names it, for effects that write their entry themselves. */
export function auditedActorOf(request: FastifyRequest): AuditedActor {
  return { ...actorOf(request.credential), request: { action: actionOf(request), from: clientAddress(request) } }
}

function actionOf({ method, routeOptions: { schema, url = '' } }: FastifyRequest): string {
  return (schema as { operationId?: string } | undefined)?.operationId ?? `${method} ${url}`
}

type AuditParts = Pick<ServerOptions, 'db' | 'clock'>

/**
 * Records every request that may change something in the organization's audit log (contract 7): with its effect where the
 * verb commits one, and right after it otherwise. Entries of core are chained at once; those of v1 and of agents after
 * the commit (ADR 110). Registered after the replay of idempotent responses, because a replay has no effect.
 */
export function auditRequests(app: App, parts: AuditParts): void {
  const written = new WeakSet<FastifyRequest>()
  app.addHook('preValidation', (request, _reply, done) => {
    const { config } = request.routeOptions
    if (isAudited(request.method, config) && !(typeof config.audit === 'object' && config.audit.byVerb))
      request.audit = {
        async record(tx, body) {
          await writeEntry(tx, request, body, parts.clock.now())
          written.add(request)
        },
      }
    done()
  })

  const writeAfterwards = async (request: FastifyRequest, payload: unknown): Promise<unknown> => {
    try {
      const body: unknown = typeof payload === 'string' ? JSON.parse(payload) : undefined
      await inTransaction(parts.db, (tx) => writeEntry(tx, request, body, parts.clock.now()))
    } catch (error) {
      request.log.error({ err: error }, 'failed to record a request in the audit log')
    }
    return payload
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.audit !== undefined && !written.has(request) && reply.statusCode < 300)
      return writeAfterwards(request, payload)
    return done(null, payload)
  })
}

/** Whether a route's requests are recorded: writes with a credential, and sign-in where the response names the user. */
export function isAudited(method: string, config: Pick<FastifyContextConfig, 'access' | 'audit'>): boolean {
  if (method === 'GET' || method === 'HEAD' || config.audit === false) return false
  if (config.access === 'auth') return config.audit !== undefined
  if (typeof config.access !== 'object') return false
  const { access } = config
  return access.surface === 'v1' ? access.needs === 'write' : access.surface !== 'validate'
}

async function writeEntry(tx: Tx, request: FastifyRequest, response: unknown, at: Date): Promise<void> {
  const { config, url = '' } = request.routeOptions
  const isV1 = surfaceOf(url) === 'v1'
  const overrides = config.audit === undefined || config.audit === false ? {} : config.audit
  const exchange = {
    params: request.params,
    body: request.body,
    data: isV1 ? response : valueAt(response, 'data'),
    credential: request.presented,
  }
  // A login that waits for a second factor is nobody's yet; completing it is recorded.
  if (config.access === 'auth' && valueAt(exchange, 'data.organization.id') === undefined) return
  const segment = url.split('/')[isV1 ? 2 : 3] ?? ''
  const ownId =
    overrides.id === undefined
      ? (valueAt(exchange, 'params.id') ?? valueAt(exchange, 'data.id'))
      : valueAt(exchange, overrides.id)
  const plannedId =
    overrides.id === undefined && ownId === undefined ? valueAt(exchange, 'data.operationId') : undefined
  const byPath = plannedId === undefined ? (AUDITED_OBJECTS[segment] ?? segment) : 'operation'
  const details = (overrides.details ?? []).map(
    (path) => [path.split('.').at(-1) ?? path, valueAt(exchange, path)] as const,
  )
  const isChainedAtOnce =
    config.access === 'auth' || (typeof config.access === 'object' && config.access.surface === 'core')
  const store = isChainedAtOnce ? appendAuditEntry : queueAuditEntry
  await store(tx, {
    ...authorOf(request, exchange.data),
    action: actionOf(request),
    objectType: overrides.object ?? byPath,
    objectId: idOf(ownId ?? plannedId),
    from: clientAddress(request),
    at,
    details: details.length === 0 ? undefined : Object.fromEntries(details),
  })
}

/** For a sign-in, the response identifies the user. */
function authorOf({ presented }: FastifyRequest, data: unknown): { organizationId: number; actor: Actor } {
  if (presented) return { organizationId: presented.organizationId, actor: actorOf(presented) }
  const organizationId = Number(valueAt(data, 'organization.id'))
  return { organizationId, actor: { type: 'user', id: idOf(valueAt(data, 'user.id')) } }
}

function idOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** The value at a path such as `data.user.id`. */
function valueAt(node: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (parent, name) =>
        typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)[name] : undefined,
      node,
    )
}
