import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { inTransaction, type Tx } from '../../../database/index.ts'
import { type AuditActor, appendAuditEntry } from '../../../identity/index.ts'
import type { App, ServerOptions } from './app.ts'
import type { AuditRecorder } from './record-audit-entry.ts'

/** How a route stands in the audit log, where it does not stand there as others do. */
export interface AuditRouteConfig {
  /** What kind of thing the request changes; by default what its path says. */
  readonly object?: string
  /** Where the thing's id is, such as `data.user.id`; by default `params.id`, else the id in the answer. */
  readonly id?: string
  /** Fields of the request or the answer worth keeping. Never a secret, nothing personal: entries stay for ever. */
  readonly details?: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Every request that may change something on the core surface is written into the audit log, by itself; this says
     * how, or `false`: it changes nothing that anybody asks for later.
     */
    audit?: AuditRouteConfig | false
  }
  interface FastifyRequest {
    /** Writes this request into the audit log; `undefined` where it is not written there. */
    audit: AuditRecorder | undefined
  }
}

/** What kind of thing lies below a path, after `/api/core/`. */
export const AUDITED_OBJECTS: Readonly<Record<string, string>> = {
  allocations: 'allocation',
  apikeys: 'api_key',
  'approval-policy': 'approval_policy',
  custody: 'agent_action',
  members: 'member',
  operations: 'operation',
  organization: 'organization',
  'org-wallets': 'wallet',
  'wallet-profiles': 'wallet_profile',
  wallets: 'operational_wallet',
  'strategy-caps': 'strategy_cap',
  webhooks: 'webhook',
}

type Parts = Pick<ServerOptions, 'db' | 'clock'>

/**
 * Writes every request of the core surface that may change something into the organization's audit log (contract 7):
 * with its effect where the verb commits one, and right after it where there was no effect to write it with.
 * Registered after the replay of idempotent answers, because a replay does nothing.
 */
export function auditRequests(app: App, parts: Parts): void {
  const written = new WeakSet<FastifyRequest>()
  app.addHook('preValidation', (request, _reply, done) => {
    if (isAudited(request.method, request.routeOptions.config))
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
      request.log.error({ err: error }, 'a request could not be written into the audit log')
    }
    return payload
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.audit !== undefined && !written.has(request) && reply.statusCode < 300)
      return writeAfterwards(request, payload)
    return done(null, payload)
  })
}

/**
 * What people do on core, and signing in where the route says that it can tell who does. Agents poll and report too
 * often, and operations tell of it.
 */
export function isAudited(method: string, config: Pick<FastifyContextConfig, 'access' | 'audit'>): boolean {
  if (method === 'GET' || method === 'HEAD' || config.audit === false) return false
  if (config.access === 'auth') return config.audit !== undefined
  return typeof config.access === 'object' && config.access.surface === 'core'
}

async function writeEntry(tx: Tx, request: FastifyRequest, answer: unknown, at: Date): Promise<void> {
  const { config, schema, url = '' } = request.routeOptions
  const as = config.audit === undefined || config.audit === false ? {} : config.audit
  const said = {
    params: request.params,
    body: request.body,
    data: valueAt(answer, 'data'),
    credential: request.presented,
  }
  const operationId = (schema as { operationId?: string } | undefined)?.operationId
  const segment = url.split('/')[3] ?? ''
  const ownId = as.id === undefined ? (valueAt(said, 'params.id') ?? valueAt(said, 'data.id')) : valueAt(said, as.id)
  const plannedId = as.id === undefined && ownId === undefined ? valueAt(said, 'data.operationId') : undefined
  const byPath = plannedId === undefined ? (AUDITED_OBJECTS[segment] ?? segment) : 'operation'
  const details = (as.details ?? []).map((path) => [path.split('.').at(-1) ?? path, valueAt(said, path)] as const)
  await appendAuditEntry(tx, {
    ...actorOf(request, said.data),
    action: operationId ?? `${request.method} ${url}`,
    objectType: as.object ?? byPath,
    objectId: idOf(ownId ?? plannedId),
    from: request.ip.replace(/^::ffff:(?=\d+\.)/i, ''),
    at,
    details: details.length === 0 ? undefined : Object.fromEntries(details),
  })
}

/** Who signs in is known by the answer. */
function actorOf({ presented }: FastifyRequest, data: unknown): { organizationId: number; actor: AuditActor } {
  if (presented?.kind === 'user')
    return { organizationId: presented.organizationId, actor: { type: 'user', id: presented.userId } }
  if (presented?.kind === 'key')
    return { organizationId: presented.organizationId, actor: { type: 'key', id: presented.keyId } }
  const organizationId = Number(valueAt(data, 'organization.id'))
  return { organizationId, actor: { type: 'user', id: idOf(valueAt(data, 'user.id')) } }
}

function idOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** What stands at a path such as `data.user.id`. */
function valueAt(node: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (parent, name) =>
        typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)[name] : undefined,
      node,
    )
}
