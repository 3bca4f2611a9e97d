import type { Operation, OperationTransaction, Parts } from '../../src/operations/index.ts'
import { USDC } from '../units.ts'
import { anyState } from './any-state.ts'
import type { EngineFixture } from './engine-fixture.ts'
import type { EngineInUse } from './use-engine.ts'

/** The last transaction of an operation: the supply, after its token approval. */
export const supplyOf = ({ transactions }: { readonly transactions: readonly OperationTransaction[] }) =>
  anyState(transactions.at(-1)!)

/** An unmined supply in the node's pool, whose approval is final. */
export async function pendingSupply(use: EngineInUse, amount = 100n * USDC): Promise<Operation> {
  const { client, dev, engine } = use
  const plan = await client.supply(amount)
  await client.submit(plan, await client.sign(plan.transactions[0]!))
  await engine.settle()
  await dev.mineAtOnce(false)
  await client.submitAll(await client.operation(plan))
  return client.operation(plan)
}

/** Parts whose broadcasts never leave, as if the process died between storing and sending. */
export function partsThatDieBeforeSending({ parts, chain }: EngineFixture): Parts {
  const dying = { ...chain, broadcast: () => Promise.reject(new Error('the process died')) }
  return { ...parts, chains: new Map([[chain.network.blockchain, dying]]) }
}
