import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A chain's endpoint that passes on everything but what sends a transaction. */
export async function startReadOnlyEndpoint(target: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (body.includes('eth_sendRawTransaction')) return request.socket.destroy()
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
