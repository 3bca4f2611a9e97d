import { Failure } from '../../kernel/index.ts'

/**
 * Nodes responded, and none of them keeps the state of that block. Repeating the read does not help, unlike after every
 * other CHAIN_UNAVAILABLE: only this one allows a reader to take the latest state instead.
 */
export class PastStateMissingError extends Failure {
  constructor(method: string, reason: string) {
    super('CHAIN_UNAVAILABLE', { cause: new Error(`${method}: ${reason}`) })
  }
}
