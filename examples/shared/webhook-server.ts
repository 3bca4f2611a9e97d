import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createWebhooks, type ReceivedEvent, WebhookSignatureError } from '@weir/sdk'

/** More than any event has. The signature is checked only afterwards, so anybody can send this much. */
const MOST_BYTES = 1_048_576

/**
 * A server for webhooks. It acknowledges an event when `store` has stored it; if that fails, Weir sends the event again.
 * An event may come twice: `store` recognizes it by `event.id`.
 */
export function webhookServer(secret: string, store: (event: ReceivedEvent) => void | Promise<void>): Server {
  const webhooks = createWebhooks(secret)
  return createServer(async (request, response) => {
    try {
      // The bytes as received: JSON that was parsed and serialized again has another signature.
      const body = await bodyOf(request)
      if (body === undefined) return void response.writeHead(413, { connection: 'close' }).end()
      await store(await webhooks.unwrap(body, request.headers))
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookSignatureError ? 400 : 500).end()
    }
  })
}

/** Undefined: it is too large, and the rest is not read. */
async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // To leave the loop must not close the connection, which the response needs.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
