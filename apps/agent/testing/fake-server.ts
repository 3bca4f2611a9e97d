import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface FakeServer {
  readonly url: string
  close(): Promise<void>
}

/** Starts an HTTP server on a free port. */
export async function startFakeServer(
  answer: (request: IncomingMessage, body: string) => Reply | Promise<Reply>,
): Promise<FakeServer> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    try {
      const { status, body, headers } = await answer(request, Buffer.concat(parts).toString())
      response.writeHead(status, headers).end(body)
    } catch {
      // Simulates a dropped connection: the caller gets no response.
      request.socket.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
