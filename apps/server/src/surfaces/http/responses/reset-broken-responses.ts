import { Readable } from 'node:stream'
import type { App } from '../app.ts'

/**
 * Resets the connection of a streamed response that fails before its end, for clients and proxies of HTTP/1.0: their
 * responses end with the connection, so one that closes in order looks whole. Over TLS, a missing close_notify says it.
 */
export function resetBrokenResponses(app: App): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { httpVersion, socket } = request.raw
    if (httpVersion === '1.0' && payload instanceof Readable && !('encrypted' in socket))
      payload.once('error', () => socket.resetAndDestroy())
    done(null, payload)
  })
}
