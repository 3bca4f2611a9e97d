import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the webhook receiver got. */
export interface ReceivedWebhook {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The receiver's response status; `hang` never responds. */
export type WebhookReply = number | 'hang'

/** A receiver of webhooks: a real HTTP server on loopback. */
export interface WebhookReceiver {
  readonly url: string
  readonly received: ReceivedWebhook[]
  /** Chooses each response; 200 by default. */
  answer: (received: ReceivedWebhook) => WebhookReply | Promise<WebhookReply>
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const received = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    sink.received.push(received)
    const answer = await sink.answer(received)
    if (answer !== 'hang') response.writeHead(answer).end('{"received":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sink: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: () => 200,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return sink
}
