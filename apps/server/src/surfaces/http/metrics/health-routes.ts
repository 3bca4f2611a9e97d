import Type from 'typebox'
import { Failure, type Log } from '../../../kernel/index.ts'
import type { App, ServerOptions } from '../pipeline/app.ts'
import type { HttpMetrics } from './metrics.ts'

/** A check that takes longer counts as failed: whoever asks has a deadline of his own. */
const CHECK_TIMEOUT_MS = 2_000

const config = { access: 'open', limit: 'anonymous' } as const

const Health = Type.Object(
  {
    status: Type.Literal('ok', { description: 'The process is up.' }),
    version: Type.String({ description: "The service's version." }),
  },
  { $id: 'Health', description: 'The process is up and answers.' },
)

const Readiness = Type.Object(
  {
    status: Type.Literal('ready', { description: 'Every check holds.' }),
    checks: Type.Record(Type.String(), Type.Literal('ok'), { description: 'Each check by its name.' }),
  },
  { $id: 'Readiness', description: 'The service can do its work.' },
)

/** `GET /health`, `GET /ready` and `GET /metrics` (contract 2); no credential. */
export function healthRoutes(app: App, options: ServerOptions, metrics: HttpMetrics): void {
  const tags = ['Service']

  app.get(
    '/health',
    {
      config,
      schema: {
        tags,
        operationId: 'getHealth',
        summary: 'Whether the process is up',
        description: 'Says nothing of the database or the chains; see `/ready`.',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' as const, version: options.version }),
  )

  app.get(
    '/ready',
    {
      config,
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Whether the service can do its work',
        description:
          'Database reachable, migrations applied, workers running. 503 NOT_READY otherwise, with each check in `details.checks`, and from the moment the service begins to stop.',
        response: { 200: Readiness },
      },
    },
    async (request) => {
      const names = Object.keys(options.checks)
      const held = await Promise.all(names.map((name) => passes(name, options.checks[name]!, options.log)))
      const checks = Object.fromEntries(
        names.map((name, at) => [name, held[at] ? ('ok' as const) : ('failed' as const)]),
      )
      if (request.stopping.aborted)
        throw new Failure('NOT_READY', { message: 'The service is stopping.', details: { checks } })
      if (held.includes(false)) throw new Failure('NOT_READY', { details: { checks } })
      return { status: 'ready' as const, checks: checks as Record<string, 'ok'> }
    },
  )

  app.get(
    '/metrics',
    {
      config,
      schema: {
        tags,
        operationId: 'getMetrics',
        summary: 'Measurements for Prometheus',
        description: 'The text exposition format: the process, the event loop, and requests by route and status.',
        response: {
          200: {
            description: 'Prometheus text.',
            content: { 'text/plain': { schema: Type.String({ description: 'One sample a line.' }) } },
          },
        },
      },
    },
    async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}

async function passes(name: string, check: () => Promise<boolean>, log: Log): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([check(), late])
  } catch (error) {
    log.warn({ err: error, check: name }, 'a readiness check failed')
    return false
  } finally {
    clearTimeout(timer)
  }
}
