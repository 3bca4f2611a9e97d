import { Failure } from '../kernel/index.ts'

/**
 * A contract did not return what its interface promises: it reverted, or does not exist. The node did respond, so
 * retrying helps only once the contract changes, and work that waits for the chain must not wait for one contract.
 */
export class ContractUnavailableError extends Failure {
  constructor(address: string, functionName: string) {
    super('CHAIN_UNAVAILABLE', { cause: `${address} does not answer ${functionName}` })
  }
}

/** The result, or `undefined` where the contract is unavailable; every other error is thrown. */
export async function undefinedIfUnavailable<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if (error instanceof ContractUnavailableError) return undefined
    throw error
  }
}
