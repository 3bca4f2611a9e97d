import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { METRICS_CONNECTIONS_MAX, METRICS_REQUEST_TIMEOUT_MS, SLOW_REQUESTS_CHECK_MS } from '../../../kernel/index.ts'
import { dataHeaders } from '../responses/security-headers.ts'
import type { HttpMetrics } from './metrics.ts'

export interface MetricsListener {
  /** `http://HOST:PORT/metrics`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves `GET /metrics` and nothing else on an address of its own, for a network that callers of the API do not reach.
 * Throws the error of the listen call, such as EADDRINUSE.
 */
export async function startMetricsListener(
  metrics: HttpMetrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsListener> {
  const server = createServer(
    { requestTimeout: METRICS_REQUEST_TIMEOUT_MS, connectionsCheckingInterval: SLOW_REQUESTS_CHECK_MS },
    (request, response) => {
      respond(metrics, request, response).catch(() => response.destroy())
    },
  )
  server.maxConnections = METRICS_CONNECTIONS_MAX
  server.listen(port, host)
  await once(server, 'listening')
  const { port: actual } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function respond(metrics: HttpMetrics, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isMetrics = request.url === '/metrics' || request.url?.startsWith('/metrics?')
  for (const [name, value] of Object.entries(dataHeaders())) response.setHeader(name, value)
  // A body is not read: the connection cannot be used again.
  if (!isRead) response.setHeader('connection', 'close')
  if (!isMetrics) return void response.writeHead(404).end()
  if (!isRead) return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
  const text = await metrics.registry.metrics()
  response.writeHead(200, { 'content-type': metrics.registry.contentType })
  response.end(request.method === 'HEAD' ? undefined : text)
}
