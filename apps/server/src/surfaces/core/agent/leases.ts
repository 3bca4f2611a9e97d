import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { IdentityParts } from '../../../identity/index.ts'
import { LEASE_MS, POLL_WAIT_MS_MAX, TOKEN_LENGTH_MAX } from '../../../kernel/index.ts'
import { auditedActorOf, keyCredentialOf, onResponseClosed } from '../../http/index.ts'

const leaseDurationMs = Type.Integer({
  minimum: LEASE_MS.min,
  maximum: LEASE_MS.max,
  description:
    'Duration of the lease in milliseconds. Must be longer than signing and broadcasting take; 30,000 to 60,000 is a good choice.',
})

/** The lease duration that an agent requests (contract 9). */
export const requestedDuration = Type.Optional({ ...leaseDurationMs, default: LEASE_MS.default })

/** Body of a poll. */
export const pollBody = Type.Object({
  leaseDurationMs: requestedDuration,
  waitMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: POLL_WAIT_MS_MAX,
      description: 'How long to wait for work, in milliseconds (long poll). Defaults to 0: return at once.',
    }),
  ),
})

export const leaseToken = (description: string) =>
  Type.String({ minLength: 1, maxLength: TOKEN_LENGTH_MAX, description })

/**
 * Input of a poll, which is also recorded as a sign of life of the key's agent. The wait ends after `waitMs`, when the client disconnects, or
 * when the service stops.
 */
export function pollOptionsOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, usage }: { body: { leaseDurationMs?: number; waitMs?: number }; usage: IdentityParts['usage'] },
) {
  const { leaseDurationMs: asked = LEASE_MS.default, waitMs = 0 } = body
  const { organizationId, keyId } = keyCredentialOf(request)
  usage.record({ organizationId, keyId, polls: true })
  return {
    organizationId,
    agent: auditedActorOf(request),
    leaseDurationMs: asked,
    authenticateAgain: () => request.authenticateAgain(),
    signal: waitMs === 0 ? AbortSignal.abort() : pollDeadline(request, reply, waitMs),
  }
}

function pollDeadline(request: FastifyRequest, reply: FastifyReply, waitMs: number): AbortSignal {
  const over = new AbortController()
  const end = () => over.abort()
  const timer = setTimeout(end, waitMs)
  request.stopping.addEventListener('abort', end, { once: true })
  onResponseClosed(reply, () => {
    clearTimeout(timer)
    request.stopping.removeEventListener('abort', end)
    end()
  })
  if (request.stopping.aborted) end()
  return over.signal
}
