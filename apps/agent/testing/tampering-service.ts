import { type FakeServer, startFakeServer } from './fake-server.ts'

type Transaction = Record<string, unknown> & { unsignedTx: string; metadata: Record<string, unknown> }

/** A proxy between the service and an agent that changes issued transactions and forwards the rest unchanged. */
export async function startTamperingService(
  url: string,
  tamper: (transaction: Transaction) => Transaction,
): Promise<FakeServer> {
  return startFakeServer(async (request, body) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': String(request.headers['x-api-key'] ?? '') }
    // When the agent disconnects, cancel its poll: it would lease work for nobody.
    const gone = new AbortController()
    request.socket.once('close', () => gone.abort())
    const response = await fetch(url + request.url, { method: 'POST', headers, body, signal: gone.signal })
    const text = await response.text()
    const isPoll = request.url === '/api/agent/transactions/poll' && response.ok
    const json = isPoll ? (JSON.parse(text) as { data: { transaction: Transaction | null } }) : undefined
    if (json?.data.transaction) json.data.transaction = tamper(json.data.transaction)
    return { status: response.status, body: json ? JSON.stringify(json) : text }
  })
}
