import { expect } from 'vitest'
import type { Operation } from './api-types.ts'
import type { WalletClient } from './wallet-client.ts'

/**
 * Submits the first transaction of a plan, which the chain drops: it stays in flight for two minutes. The holder's
 * client may set faults.
 */
export async function holdInFlight(holder: WalletClient, operation: Operation): Promise<void> {
  const { client, blockchain } = holder
  await client.post('/v1/sandbox/chain-faults', { blockchain, fault: 'drop_next', count: 1 })
  await holder.submit(operation, operation.transactions[0]!)
  expect((await holder.read(operation.operationId)).transactions[0]).toMatchObject({ status: 'pending' })
}
