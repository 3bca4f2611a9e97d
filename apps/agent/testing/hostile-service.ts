import { type FakeServer, type Reply, startFakeServer } from './fake-server.ts'

export type Work = Readonly<Record<string, unknown>> & { readonly id: number }

/** How long a poll waits. */
export const POLL_WAIT_MS = 200

/** A service in the hands of an attacker: it issues what a test enqueues, and keeps the reports. */
export interface HostileService extends FakeServer {
  readonly transactions: Work[]
  readonly actions: Work[]
  readonly reports: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[]
  /** If set, the next poll for transactions gets this instead. */
  nextReply: Reply | undefined
}

export async function startHostileService(): Promise<HostileService> {
  const json = (data: unknown): Reply => ({ status: 200, body: JSON.stringify({ success: true, data }) })
  const server = await startFakeServer(async (request, text) => {
    const path = String(request.url)
    switch (path) {
      case '/api/agent/transactions/poll': {
        await waiting(() => service.transactions.length > 0 || service.nextReply !== undefined)
        const reply = service.nextReply
        service.nextReply = undefined
        return reply ?? json({ transaction: service.transactions.shift() ?? null })
      }
      case '/api/agent/actions/poll':
        await waiting(() => service.actions.length > 0)
        return json({ action: service.actions.shift() ?? null })
      case '/api/core/apikeys/validate':
        return json({ permissions: ['agent'] })
      default:
        if (path.endsWith('/report')) service.reports.push({ path, body: JSON.parse(text) })
        return json({})
    }
  })
  const service: HostileService = { ...server, transactions: [], actions: [], reports: [], nextReply: undefined }
  return service
}

async function waiting(isThere: () => boolean): Promise<void> {
  const end = performance.now() + POLL_WAIT_MS
  while (!isThere() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
}
