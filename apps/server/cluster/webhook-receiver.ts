import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a receiver that remembers ids, as docs/webhooks.md says, would have executed. */
export interface WebhookReceiver {
  /** The ids of the events of completion, by operation. */
  readonly completions: ReadonlyMap<number, ReadonlySet<string>>
  /** Ids that came with two contents: a receiver drops the second one. */
  readonly reused: ReadonlySet<string>
  readonly deliveries: () => number
  stop(): Promise<void>
}

interface ReceiverParts {
  /** The first one registers it. */
  readonly apis: readonly { readonly url: string }[]
  readonly credentials: { readonly email: string; readonly password: string }
}

/** Starts a receiver, and registers it for every event of the demo organization. */
export async function startWebhookReceiver({ apis, credentials }: ReceiverParts): Promise<WebhookReceiver> {
  const completions = new Map<number, Set<string>>()
  const contents = new Map<string, string>()
  const reused = new Set<string>()
  let deliveries = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const id = String(request.headers['webhook-id'])
    const content = createHash('sha256').update(body).digest('hex')
    if ((contents.get(id) ?? content) !== content) reused.add(id)
    contents.set(id, content)
    deliveries += 1
    const { event, data } = JSON.parse(body.toString('utf8')) as { event: string; data: { operationId?: number } }
    if (event === 'operation.completed' && data.operationId !== undefined) {
      const ids = completions.get(data.operationId) ?? new Set()
      completions.set(data.operationId, ids.add(id))
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const post = async (path: string, body: object, headers = {}) => {
    const response = await fetch(`${apis[0]!.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { data: { accessToken: string } }
  }
  const { email, password } = credentials
  const session = await post('/api/core/auth/login', { email, password })
  await post('/api/core/webhooks', { url, events: ['*'] }, { authorization: `Bearer ${session.data.accessToken}` })
  return {
    completions,
    reused,
    deliveries: () => deliveries,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
