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
    const cancel = () => gone.abort()
    request.socket.once('close', cancel)
    try {
      const response = await fetch(url + request.url, { method: 'POST', headers, body, signal: gone.signal })
      const text = await response.text()
      return { status: response.status, body: response.ok ? tampered(String(request.url), text) : text }
    } finally {
      // The agent keeps its connection for the next request.
      request.socket.off('close', cancel)
    }
  })

  function tampered(path: string, text: string): string {
    if (path !== '/api/agent/transactions/poll') return text
    const json = JSON.parse(text) as { data: { transaction: Transaction | null } }
    if (json.data.transaction) json.data.transaction = tamper(json.data.transaction)
    return JSON.stringify(json)
  }
}
