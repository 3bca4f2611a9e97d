import type { FastifyReply } from 'fastify'
import { Failure } from '../../../kernel/index.ts'

/** Sets `Retry-After` for a locked account, as for every 429 (contract 5). */
export function retryLater(error: unknown, reply: FastifyReply): never {
  const seconds = error instanceof Failure ? error.details?.retryAfterSeconds : undefined
  if (typeof seconds === 'number') reply.header('Retry-After', seconds)
  throw error
}
