import { createServer, type Server } from 'node:http'
import { createWebhooks, type ReceivedEvent, WebhookSignatureError } from '@weir/sdk'

/**
 * A server for webhooks. It acknowledges an event when `store` has stored it; if that fails, Weir sends the event again.
 * An event may come twice: `store` recognizes it by `event.id`.
 */
export function webhookServer(secret: string, store: (event: ReceivedEvent) => void | Promise<void>): Server {
  const webhooks = createWebhooks(secret)
  return createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      // The bytes as received: JSON that was parsed and serialized again has another signature.
      await store(await webhooks.unwrap(Buffer.concat(chunks), request.headers))
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookSignatureError ? 400 : 500).end()
    }
  })
}
