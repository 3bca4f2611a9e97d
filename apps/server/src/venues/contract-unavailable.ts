import { Failure } from '../kernel/index.ts'

/**
 * A contract did not give the answer that its interface promises: it reverts, or is not there. The node did answer, so
 * asking again helps only when the contract changes; whatever waits for the chain must not wait for one contract.
 */
export class ContractUnavailableError extends Failure {
  constructor(address: string, functionName: string) {
    super('CHAIN_UNAVAILABLE', { cause: `${address} does not answer ${functionName}` })
  }
}

/** The answer, or `undefined` where the contract is silent; every other error is thrown. */
export async function undefinedIfUnavailable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ContractUnavailableError) return undefined
    throw error
  }
}
