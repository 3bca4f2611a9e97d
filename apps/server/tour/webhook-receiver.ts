import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface WebhookEvent {
  readonly event: string
  readonly data: Record<string, unknown>
}

/** A receiver of webhooks, as an integrator writes one: verifies each signature before it believes a word. */
export interface WebhookReceiver {
  readonly url: string
  /** Known once the webhook was created. */
  setSecret(secret: string): void
  stop(): Promise<void>
}

export async function startWebhookReceiver(onVerified: (told: WebhookEvent) => void): Promise<WebhookReceiver> {
  let verifier: Webhook | undefined
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    try {
      const told = verifier?.verify(body, request.headers as Record<string, string>) as WebhookEvent | undefined
      if (told) onVerified(told)
      response.writeHead(told ? 204 : 503).end()
    } catch {
      // A body that is not signed by the one who said so is nobody's.
      response.writeHead(401).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    setSecret(secret) {
      verifier = new Webhook(secret)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
