import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { RESPONSE_STALLED_MS } from '../../../kernel/index.ts'
import type { App, ServerOptions } from '../app.ts'

/**
 * Ends a streamed response whose client takes no byte for a minute: it would hold its place, a page of rows and the
 * connection for as long as it likes. A response that has nothing to send at the moment stays.
 */
export function endStalledResponses(app: App, { responseStalledMs }: Pick<ServerOptions, 'responseStalledMs'>): void {
  const ms = responseStalledMs ?? RESPONSE_STALLED_MS
  app.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw
    // Injected requests have no connection.
    if (payload instanceof Readable && socket instanceof Socket)
      // Node counts a part of a large write that the client took. Without a listener, it would end idle ones as well.
      reply.raw.setTimeout(ms, () => {
        if (reply.raw.writableLength > 0 || socket.writableLength > 0) socket.destroy()
        else socket.setTimeout(ms)
      })
    done(null, payload)
  })
}
