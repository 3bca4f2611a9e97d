import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface WebhookEvent {
  /** The same in every attempt: `evt_` and the number of the event. */
  readonly id: string
  readonly event: string
  readonly data: Record<string, unknown>
}

/** A webhook receiver as an integrator would write it: verifies each signature before it trusts the body. */
export interface WebhookReceiver {
  readonly url: string
  /** The secret is known once the webhook is created. */
  setSecret(secret: string): void
  stop(): Promise<void>
}

export async function startWebhookReceiver(onVerified: (told: WebhookEvent) => void): Promise<WebhookReceiver> {
  let verifier: Webhook | undefined
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    try {
      const told = verifier?.verify(body, request.headers as Record<string, string>) as
        | Omit<WebhookEvent, 'id'>
        | undefined
      if (told) onVerified({ ...told, id: String(request.headers['webhook-id']) })
      response.writeHead(told ? 204 : 503).end()
    } catch {
      // Without a valid signature, the sender is unknown.
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
