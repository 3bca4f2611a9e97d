import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { LEASE_MS, POLL_WAIT_MS_MAX } from '../../../kernel/index.ts'

/** How long an agent asks to have something for itself (contract 9). */
export const leaseDurationMs = Type.Integer({
  minimum: LEASE_MS.min,
  maximum: LEASE_MS.max,
  description:
    'How long the lease holds, in milliseconds: longer than signing and sending take. 30,000 to 60,000 is a good choice.',
})

/** What an agent sends to poll. */
export const pollBody = Type.Object({
  leaseDurationMs: Type.Optional({ ...leaseDurationMs, default: LEASE_MS.default }),
  waitMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: POLL_WAIT_MS_MAX,
      description:
        'Holds the request for so long, in milliseconds, while there is no work (long poll); without it, not at all.',
    }),
  ),
})

export const leaseToken = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

/** A poll as its verb takes it. It ends when its time is over, when the caller has gone, and when the service stops. */
export function pollOptionsOf(
  request: FastifyRequest,
  reply: FastifyReply,
  organizationId: number,
  body: { leaseDurationMs?: number; waitMs?: number },
) {
  const { leaseDurationMs: asked = LEASE_MS.default, waitMs = 0 } = body
  return {
    organizationId,
    leaseDurationMs: asked,
    signal: waitMs === 0 ? AbortSignal.abort() : pollDeadline(request, reply, waitMs),
  }
}

function pollDeadline(request: FastifyRequest, reply: FastifyReply, waitMs: number): AbortSignal {
  const over = new AbortController()
  const end = () => over.abort()
  const timer = setTimeout(end, waitMs)
  request.stopping.addEventListener('abort', end, { once: true })
  reply.raw.once('close', () => {
    clearTimeout(timer)
    request.stopping.removeEventListener('abort', end)
    end()
  })
  if (request.stopping.aborted) end()
  return over.signal
}
