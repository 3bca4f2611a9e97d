import { extendTransact, type Transact, type Tx } from '../../../database/index.ts'
import type { PresentedResponse } from '../responses/presented-response.ts'

/** Writes the audit log's entry of one request. */
export interface AuditRecorder {
  /** `body` is the response, which names the object that the request changed. */
  record(tx: Tx, body: unknown): Promise<void>
}

/** Writes the audit entry in the transaction of its effect: both commit, or neither does (contract 7). */
export function recordAuditEntry(
  transact: Transact<PresentedResponse>,
  recorder: AuditRecorder,
): Transact<PresentedResponse> {
  return extendTransact(transact, async (tx, response: PresentedResponse) => {
    await recorder.record(tx, response.body)
    return response
  })
}
