import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends bytes to a TLS port, valid HTTP or not. */
export interface RawClient {
  /** A TLS connection; rejects if the handshake fails. */
  secure(options?: object): Promise<TLSSocket>
  /** A TCP connection to the same port. */
  plain(): Socket
  /** Sends bytes over TLS and returns everything until the service closes the connection. */
  send(bytes: string): Promise<string>
  call(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<RawAnswer>
  /** Closes every connection that is still open. */
  closeAll(): void
}

export function createRawClient(port: number, authority: string): RawClient {
  const sockets: Socket[] = []
  const client: RawClient = {
    async secure(options = {}) {
      const socket = connect({ port, host: '127.0.0.1', ca: authority, ...options })
      sockets.push(socket)
      await once(socket, 'secureConnect')
      return socket
    },
    plain() {
      const socket = connectPlain(port, '127.0.0.1')
      socket.on('error', () => undefined)
      sockets.push(socket)
      return socket
    },
    async send(bytes) {
      const socket = await client.secure()
      socket.write(Buffer.from(bytes, 'latin1'))
      return received(socket)
    },
    async call(method, path, headers = {}, body = '') {
      const fields = { Host: 'localhost', Connection: 'close', 'Content-Length': String(body.length), ...headers }
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
      return parseAnswer(await client.send([`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n')))
    },
    closeAll() {
      for (const socket of sockets.splice(0)) socket.destroy()
    },
  }
  return client
}

/** Everything that the service sends until it closes the connection. */
export async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString('latin1')
}

/** The first response in the text. */
export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') }
}
