import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../../database/index.ts'

/** Keeps the answer of an idempotent request, so that a repetition gets it again (contract 5). */
export interface ResponseRecorder {
  /**
   * Writes the answer in the verb's own transaction, as its last statement: the answer and the effect commit together
   * or not at all. Throws IDEMPOTENCY_CONFLICT when the claim was lost to a later request, so that the effect rolls back.
   */
  record(tx: Tx, status: number, body: unknown): Promise<void>
}

/** What a verb calls inside its transaction, last, with its result. */
export type Finish<R> = (tx: Tx, result: R) => Promise<void>

/**
 * The `finish` argument for a verb: keeps `present(result)` with `status` as the answer of this request, and writes the
 * request into the audit log, both with the verb's effect. `undefined` when neither is due.
 */
export function finishWith<R>(
  request: FastifyRequest,
  status: number,
  present: (result: R) => unknown,
): Finish<R> | undefined {
  const { record, audit } = request
  if (record === undefined && audit === undefined) return undefined
  return async (tx, result) => {
    const body = present(result)
    await record?.record(tx, status, body)
    // Last, because all writers of the organization take turns from here on.
    await audit?.record(tx, body)
  }
}
