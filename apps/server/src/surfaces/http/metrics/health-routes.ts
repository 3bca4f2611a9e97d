import Type from 'typebox'
import type { JobReport, WorkReport } from '../../../database/index.ts'
import { createOutageLogs, Failure, HEALTH_CHECK_TIMEOUT_MS, type Log } from '../../../kernel/index.ts'
import type { App, ServerOptions } from '../app.ts'
import type { HttpMetrics } from './metrics.ts'

const probe = { access: 'open', limit: 'health' } as const
const config = { access: 'open', limit: 'anonymous' } as const

const Health = Type.Object(
  {
    status: Type.Literal('ok', { description: 'The process is up.' }),
    version: Type.String({ description: "The service's version." }),
  },
  { $id: 'Health', description: 'The process is up.' },
)

const HeldJob = Type.Object({
  job: Type.String({ description: 'The periodic work: `follow base` settles the blocks of Base.' }),
  worker: Type.Integer({ description: 'The process that runs it. Its log names the number when it starts.' }),
  since: Type.String({ format: 'date-time', description: 'When that process got the job, or began it.' }),
  lastProgressAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When a round last ended well, or a block was settled. Other processes report it every two seconds.',
    }),
  ),
  failure: Type.Optional(Type.String({ description: 'The code of the error with which the last round failed.' })),
  blocksBehind: Type.Optional(Type.Integer({ description: 'Final blocks of the chain that are not settled yet.' })),
  latestBlockAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Time of the latest block that a node of the chain reported.' }),
  ),
})

const Readiness = Type.Object(
  {
    status: Type.Literal('ready', { description: 'Every check passes.' }),
    checks: Type.Record(Type.String(), Type.Literal('ok'), { description: 'Result of each check, by name.' }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'What an operator must know: `one_node`, no standby has what the database acknowledges; `acknowledged_writes_lost`, the database has gone back in time; `clock_differs`, the clocks of this process and of the database are more than 30 seconds apart, and this process ends nothing because of the time; `venues_waiting`, entries of VENUES_FILE wait for their chain; `venues_refused`, some that waited were refused, as the log says. Absent where there is nothing.',
      }),
    ),
    work: Type.Optional(
      Type.Array(HeldJob, {
        description:
          'Which process runs which periodic job. Of the jobs that every process runs, such as `rebalance`, each process lists its own. Absent from a process with `ROLE=api`.',
      }),
    ),
  },
  { $id: 'Readiness', description: 'The service is ready for requests.' },
)

/** `GET /health`, `GET /ready` and `GET /metrics` (contract 2); no credential. */
export function healthRoutes(app: App, options: ServerOptions, metrics: HttpMetrics): void {
  const tags = ['Service']
  const passes = checkPassing(options.log)

  app.get(
    '/health',
    {
      config: probe,
      schema: {
        tags,
        operationId: 'getHealth',
        summary: 'Check liveness',
        description: 'Returns 200 while the process is up. Checks neither the database nor the chains; see `/ready`.',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' as const, version: options.version }),
  )

  app.get(
    '/ready',
    {
      config: probe,
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Check readiness',
        description:
          'Checks that the database is reachable and takes writes, migrations are applied and workers run; with `ROLE=worker` also that the jobs of this process make progress. Otherwise, and once the service begins to stop, returns 503 NOT_READY with each check in `details.checks`, and jobs without progress in `details.stalled`.',
        response: { 200: Readiness },
      },
    },
    async (request) => {
      const names = Object.keys(options.checks)
      const results = await Promise.all(names.map((name) => passes(name, options.checks[name]!)))
      const checks = Object.fromEntries(
        names.map((name, at) => [name, results[at] ? ('ok' as const) : ('failed' as const)]),
      )
      if (request.stopping.aborted)
        throw new Failure('NOT_READY', { message: 'The service is stopping.', details: { checks } })
      const work = options.work?.()
      const stalled = work?.stalled ?? []
      if (results.includes(false))
        throw new Failure('NOT_READY', { details: { checks, ...(stalled.length > 0 && { stalled }) } })
      const warnings = (await options.warnings?.()) ?? []
      return {
        status: 'ready' as const,
        checks: checks as Record<string, 'ok'>,
        ...(warnings.length > 0 && { warnings: [...warnings] }),
        ...(work && { work: [...work.jobs, ...ownShared(work)].map(presentJob) }),
      }
    },
  )

  if (options.servesMetrics !== false) metricsRoute(app, metrics)
}

/** Without a place among the workers, a process has no number to name. */
const ownShared = ({ workerId, shared }: WorkReport) =>
  workerId === undefined ? [] : shared.map((job) => ({ ...job, workerId }))

function presentJob({ job, workerId, since, at, failure, blocksBehind, latestBlockAt }: Omit<JobReport, 'worker'>) {
  return {
    job,
    worker: workerId,
    since: since.toISOString(),
    ...(at && { lastProgressAt: at }),
    ...(failure && { failure }),
    ...(blocksBehind !== undefined && { blocksBehind }),
    ...(latestBlockAt && { latestBlockAt }),
  }
}

function metricsRoute(app: App, metrics: HttpMetrics): void {
  app.get(
    '/metrics',
    {
      config,
      schema: {
        tags: ['Service'],
        operationId: 'getMetrics',
        summary: 'Get Prometheus metrics',
        description:
          'Metrics of the process, the event loop, and requests by route and status, in the text exposition format. In live, and with the setting `METRICS_PORT`, the service serves it on a port of its own, or not at all.',
        response: {
          200: {
            description: 'Prometheus text.',
            content: { 'text/plain': { schema: Type.String({ description: 'One sample per line.' }) } },
          },
        },
      },
    },
    async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}

/** Runs a check within its time. A failure is logged once, and once more when the check passes again. */
function checkPassing(log: Log): (name: string, check: () => Promise<boolean>) => Promise<boolean> {
  const failures = createOutageLogs(log, { away: 'readiness check failed', back: 'readiness check passes again' })
  return async (name, check) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), HEALTH_CHECK_TIMEOUT_MS)
    })
    let error: unknown
    const isPassing = await Promise.race([check(), late]).catch((thrown: unknown) => {
      error = thrown
      return false
    })
    clearTimeout(timer)
    if (isPassing) failures.recovered({ check: name })
    else failures.failed({ check: name }, error === undefined ? {} : { err: error })
    return isPassing
  }
}
