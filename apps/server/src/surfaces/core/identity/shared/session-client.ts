import type { FastifyRequest } from 'fastify'
import type { SessionClient } from '../../../../identity/index.ts'
import { asksForCookie, clientAddress } from '../../../http/index.ts'

/** Where a session is used from, for the list of sessions. */
export function sessionClientOf(request: FastifyRequest): SessionClient {
  return {
    address: clientAddress(request),
    userAgent: request.headers['user-agent'],
    isBrowser: asksForCookie(request),
  }
}
