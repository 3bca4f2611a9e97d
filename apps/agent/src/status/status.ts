import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Journal } from '../journal/index.ts'
import type { Usage } from '../limits/index.ts'
import type { ServiceError } from '../service/service-error.ts'
import { WORK_STEPS, type WorkStep } from '../work/index.ts'

/** The state that /health, /ready and /metrics expose. */
export interface Status {
  recordStep(step: WorkStep): void
  recordPoll(error: ServiceError | undefined): void
  listen(at: { readonly host: string; readonly port: number }): Promise<string>
  close(): Promise<void>
}

export function createStatus(journal: Pick<Journal, 'outstanding' | 'size'>, usage: () => readonly Usage[]): Status {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const events = new Counter({
    name: 'weir_agent_events_total',
    help: 'Steps of work, by step.',
    labelNames: ['step'] as const,
    registers: [registry],
  })
  for (const step of WORK_STEPS) events.inc({ step }, 0)
  const polls = new Counter({
    name: 'weir_agent_polls_total',
    help: 'Polls of the service, by outcome: ok, or the code of the refusal.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  new Gauge({
    name: 'weir_agent_open_transactions',
    help: 'Signed transactions that are not final.',
    registers: [registry],
    collect() {
      this.set(journal.outstanding().length)
    },
  })
  new Gauge({
    name: 'weir_agent_journal_entries',
    help: 'Entries of the journal. A lower value than before means that the journal was replaced by an older one.',
    registers: [registry],
    collect() {
      this.set(journal.size())
    },
  })
  new Gauge({
    name: 'weir_agent_limit_used_ratio',
    help: 'Used part of each limit over time, from 0 to 1.',
    labelNames: ['limit', 'window'] as const,
    registers: [registry],
    collect() {
      for (const { limit, window, used, cap } of usage()) {
        this.set({ limit, window }, cap === 0n ? 1 : Number((used * 10_000n) / cap) / 10_000)
      }
    },
  })
  const refused = new Gauge({
    name: 'weir_agent_key_refused',
    help: '1 while the last response of the service refuses the API key.',
    registers: [registry],
  })
  let lastPoll = 'not polled yet'

  const server: Server = createServer(async (request, response) => {
    const answer = (status: number, body: string, type = 'application/json') =>
      response.writeHead(status, { 'content-type': type }).end(body)
    if (request.method !== 'GET') return answer(405, '{"status":"method not allowed"}')
    switch (request.url) {
      case '/health':
        return answer(200, '{"status":"ok"}')
      case '/ready':
        return answer(lastPoll === 'ok' ? 200 : 503, JSON.stringify({ status: lastPoll }))
      case '/metrics':
        return answer(200, await registry.metrics(), registry.contentType)
      default:
        return answer(404, '{"status":"not found"}')
    }
  })

  return {
    recordStep: (step) => events.inc({ step }),
    recordPoll(error) {
      lastPoll = error?.code ?? 'ok'
      polls.inc({ outcome: lastPoll })
      if (error?.status !== 0) refused.set(error?.isDenied ? 1 : 0)
    },
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          const { address, port: taken } = server.address() as AddressInfo
          resolve(`http://${address.includes(':') ? `[${address}]` : address}:${taken}`)
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
