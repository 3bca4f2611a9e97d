import type { FastifyReply } from 'fastify'

/**
 * Runs `end` once a response was sent or its client left; at once if the client left before, as while its credential was
 * read.
 */
export function whenOver({ raw }: FastifyReply, end: () => void): void {
  if (raw.closed) end()
  else raw.once('close', end)
}
