import type { Socket } from 'node:net'
import { SHUTDOWN_TIMEOUT_MS } from '../../../kernel/index.ts'
import type { App } from './app.ts'

/**
 * Makes `app.close()` the graceful shutdown of contract 2: the server accepts no new requests, requests that wait on
 * `request.stopping` end at once, and all others have ten seconds before their connections are closed.
 */
export function registerGracefulShutdown(app: App, drainMs = SHUTDOWN_TIMEOUT_MS): void {
  const stopping = new AbortController()
  // Long polls and event streams listen to it.
  app.decorateRequest('stopping', { getter: () => stopping.signal })
  let last: NodeJS.Timeout | undefined
  const connections = new Set<Socket>()
  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('preClose', async () => {
    stopping.abort()
    // Node closes idle connections, but not those that never sent a byte: browsers open some in advance.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
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
