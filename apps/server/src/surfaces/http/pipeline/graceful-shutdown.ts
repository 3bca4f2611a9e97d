import type { Socket } from 'node:net'
import { SHUTDOWN_TIMEOUT_MS } from '../../../kernel/index.ts'
import type { App } from '../app.ts'

/**
 * Makes `app.close()` the graceful shutdown of contract 2: the server accepts no new requests, requests that wait on
 * `request.stopping` end at once, and all others have ten seconds before their connections are closed.
 */
export function registerGracefulShutdown(app: App, drainMs = SHUTDOWN_TIMEOUT_MS): void {
  const stopping = new AbortController()
  // Long polls and event streams listen to it.
  app.decorateRequest('stopping', { getter: () => stopping.signal })
  let last: NodeJS.Timeout | undefined
  const unused = unusedConnections(app)
  app.addHook('preClose', async () => {
    stopping.abort()
    // Node closes idle connections, but not those that never sent a byte: browsers open some in advance.
    for (const socket of unused()) socket.destroy()
    last = setTimeout(() => app.server.closeAllConnections(), drainMs)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A kept-alive connection would delay the shutdown until its client closes it.
    if (stopping.signal.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onClose', async () => {
    clearTimeout(last)
  })
}

/** Open connections that carried no byte of a request: unused ones, and with TLS those whose handshake is not done. */
function unusedConnections(app: App): () => Socket[] {
  const open = new Set<Socket>()
  const handshaking = new Map<string, Socket>()
  const track = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  const isTls = 'setSecureContext' in app.server
  app.server.on('connection', (socket) => {
    if (!isTls) return track(socket)
    // The encrypted connection is another object for the same peer.
    const peer = peerOf(socket)
    handshaking.set(peer, socket)
    socket.once('close', () => handshaking.get(peer) === socket && handshaking.delete(peer))
  })
  app.server.on('secureConnection', (socket: Socket) => {
    handshaking.delete(peerOf(socket))
    track(socket)
  })
  return () => [...handshaking.values(), ...[...open].filter(({ bytesRead }) => bytesRead === 0)]
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
