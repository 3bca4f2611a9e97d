import { SHUTDOWN_TIMEOUT_MS } from '../../../kernel/index.ts'
import type { App } from './app.ts'

/**
 * Makes `app.close()` the clean stop of contract 2: nothing new is accepted, what waits on `request.stopping` ends at
 * once, everything else has ten seconds; then its connections are closed.
 */
export function registerGracefulShutdown(app: App, drainMs = SHUTDOWN_TIMEOUT_MS): void {
  const stopping = new AbortController()
  // Every long poll listens to it.
  app.decorateRequest('stopping', { getter: () => stopping.signal })
  let last: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    stopping.abort()
    last = setTimeout(() => app.server.closeAllConnections(), drainMs)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A connection kept alive for another request would hold the stop up for as long as its caller likes.
    if (stopping.signal.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onClose', async () => {
    clearTimeout(last)
  })
}
