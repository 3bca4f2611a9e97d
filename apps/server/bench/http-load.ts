import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Contender, inLanes } from './compare.ts'

/**
 * GETs one path over persistent connections, one request at a time on each, with as little client work as HTTP allows:
 * the cost of a client library would add to both sides of a ratio and bring it closer to 1.
 */
export async function getLoad(
  name: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  connections = 32,
): Promise<Contender & { close(): void }> {
  const { hostname, port, pathname, search } = new URL(url)
  const fields = Object.entries({ host: hostname, ...headers }).map(([field, value]) => `${field}: ${value}\r\n`)
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${fields.join('')}\r\n`)
  const lines = await Promise.all(Array.from({ length: connections }, () => openConnection(Number(port), request)))
  const free = [...lines]
  const load = inLanes(name, connections, async () => {
    const line = free.pop()!
    await line.request()
    free.push(line)
  })
  return {
    ...load,
    close() {
      for (const line of lines) line.close()
    },
  }
}

interface Connection {
  request(): Promise<void>
  close(): void
}

async function openConnection(port: number, request: Buffer): Promise<Connection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let answered = () => {}
  let failed = (_error: Error) => {}
  let received = ''
  socket.on('error', (error) => failed(error))
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    const head = received.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1])
    if (received.length < head + 4 + length) return
    const isOk = received.startsWith('HTTP/1.1 200')
    if (!isOk) failed(new Error(`not the response that is measured: ${received}`))
    received = ''
    answered()
  })
  return {
    request: () =>
      new Promise((resolve, reject) => {
        answered = resolve
        failed = reject
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}
