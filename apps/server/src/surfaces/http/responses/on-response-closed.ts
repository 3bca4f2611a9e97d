import type { FastifyReply } from 'fastify'

/**
 * Runs `end` when the response has been sent or its client leaves; at once if the client has already left, for example
 * while its credential was read.
 */
export function onResponseClosed({ raw }: FastifyReply, end: () => void): void {
  if (raw.closed) end()
  else raw.once('close', end)
}
