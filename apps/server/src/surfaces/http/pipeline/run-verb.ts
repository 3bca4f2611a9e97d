import type { FastifyRequest } from 'fastify'
import { extendTransact, type Transact, type Tx } from '../../../database/index.ts'
import { recordAuditEntry } from '../records/record-audit-entry.ts'
import type { PresentedResponse } from '../responses/presented-response.ts'
import { recordResponse } from '../responses/record-response.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The server's transactions, with nothing added. */
    transact: <R>(work: (tx: Tx) => Promise<R>) => Promise<R>
  }
}

/** A reply, whatever its route declares. */
interface AnyReply {
  readonly request: FastifyRequest
  readonly server: { readonly transact: <R>(work: (tx: Tx) => Promise<R>) => Promise<R> }
  code(status: number): unknown
}

/**
 * Runs a verb that commits through `transact`, presents its result once, and returns that body for the handler to send
 * with `status`. The effect, the recorded response of an idempotent request, and the audit entry commit together or not
 * at all. `present` may read in the verb's transaction; it gets none when the verb had nothing to commit.
 */
export async function runVerb<R = void, B = unknown>(
  reply: AnyReply,
  status: number | ((result: R) => number),
  present: (result: R, tx?: Tx) => B | Promise<B>,
  verb: (transact: Transact<R>) => Promise<R>,
): Promise<B> {
  const statusOf = (result: R): number => (typeof status === 'number' ? status : status(result))
  let presented: { readonly status: number; readonly body: B } | undefined
  const result = await verb(
    extendTransact(transactOf(reply), async (tx, result: R) => {
      presented = { status: statusOf(result), body: await present(result, tx) }
      return presented
    }),
  )
  presented ??= { status: statusOf(result), body: await present(result) }
  reply.code(presented.status)
  return presented.body
}

/** A request's transactions, decorated. The audit entry comes last: the organization's writers take turns from there. */
function transactOf({ request, server }: AnyReply): Transact<PresentedResponse> {
  let transact: Transact<PresentedResponse> = server.transact
  if (request.changeGuard !== undefined) transact = request.changeGuard(transact)
  if (request.audit !== undefined) transact = recordAuditEntry(transact, request.audit)
  if (request.record !== undefined) transact = recordResponse(transact, request.record)
  return transact
}
