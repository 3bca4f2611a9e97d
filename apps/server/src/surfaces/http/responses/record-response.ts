import { extendTransact, type Transact, type Tx } from '../../../database/index.ts'
import type { PresentedResponse } from './presented-response.ts'

/** Records the response of an idempotent request for later repetitions (contract 5). */
export interface ResponseRecorder {
  /** Throws IDEMPOTENCY_CONFLICT when a later request took the claim over: the effect rolls back. */
  record(tx: Tx, status: number, body: unknown): Promise<void>
}

/**
 * Records the response in the transaction of its effect: both commit, or neither does. Skips a refusal that commits,
 * because its response is the error, which is recorded when it is sent.
 */
export function recordResponse(
  transact: Transact<PresentedResponse>,
  recorder: ResponseRecorder,
): Transact<PresentedResponse> {
  return extendTransact(transact, async (tx, response: PresentedResponse) => {
    if (response.status < 300) await recorder.record(tx, response.status, response.body)
    return response
  })
}
