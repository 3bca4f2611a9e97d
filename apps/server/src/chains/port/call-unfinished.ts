import { Failure } from '../../kernel/index.ts'

/**
 * A node responded, and gave up on this call because it took too long. Another call may not, so nothing else waits for it;
 * nor does it say that the call would fail.
 */
export class CallUnfinishedError extends Failure {
  constructor(method: string, reason: string) {
    super('CHAIN_UNAVAILABLE', { cause: new Error(`${method}: ${reason}`) })
  }
}
