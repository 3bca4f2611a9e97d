import type { FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { RpcObserver } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import type { Log } from '../../../kernel/index.ts'
import { registerBacklogMetrics } from './backlog-metrics.ts'
import { countMilestones, observeMilestones, registerOperationMetrics } from './operation-metrics.ts'
import { registerRpcMetrics } from './rpc-metrics.ts'

/** The service's metrics, in a registry per server, so that two servers in one process do not share counts. */
export class HttpMetrics {
  readonly registry = new Registry()
  readonly #inFlight = new Gauge({
    name: 'weir_http_requests_in_flight',
    help: 'Requests in progress.',
    registers: [this.registry],
  })
  readonly #duration = new Histogram({
    name: 'weir_http_request_duration_seconds',
    help: 'Time from request to response, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  })
  readonly #aborted = new Counter({
    name: 'weir_http_requests_aborted_total',
    help: 'Requests whose client disconnected before the response.',
    registers: [this.registry],
  })
  readonly #process = new Gauge({
    name: 'weir_process_info',
    help: '1 for each running process, by its role.',
    labelNames: ['role'] as const,
    registers: [this.registry],
  })
  /** Measures the requests of this process to nodes. */
  readonly rpc: RpcObserver = registerRpcMetrics(this.registry)
  readonly #open = new WeakSet<FastifyRequest>()
  readonly #steps = countMilestones(this.registry)

  constructor(db: Database) {
    collectDefaultMetrics({ register: this.registry })
    registerBacklogMetrics(this.registry, db)
    registerOperationMetrics(this.registry, db)
  }

  /** From now on, logs and counts each step on this database handle. */
  observeMilestones(db: Database, log: Log): void {
    observeMilestones(db, log, this.#steps.count)
  }

  /** Shows the role of the process, and failures on these chains from the start, as 0. */
  serves(role: string, blockchains: Iterable<string>): void {
    this.#process.set({ role }, 1)
    this.#steps.showZeros(blockchains)
  }

  started(request: FastifyRequest): void {
    this.#open.add(request)
    this.#inFlight.inc()
  }

  answered(request: FastifyRequest, status: number, seconds: number): void {
    if (!this.#ended(request)) return
    // Labels come from registered routes only, so that callers cannot grow the number of series.
    const route = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched')
    const method = request.is404 ? 'any' : request.method
    this.#duration.observe({ method, route, status: String(status) }, seconds)
  }

  /** Counts an aborted request once. Returns false if it had already ended. */
  aborted(request: FastifyRequest): boolean {
    const ended = this.#ended(request)
    if (ended) this.#aborted.inc()
    return ended
  }

  /** A handler may still respond to an aborted request; the request is counted only once. */
  #ended(request: FastifyRequest): boolean {
    if (!this.#open.delete(request)) return false
    this.#inFlight.dec()
    return true
  }
}
