// `rebalancing/revoke-left-allowances.test.ts` tests how they are revoked.
import { expect, test } from 'vitest'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { createOperationalWallet } from '../../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../../testing/units.ts'
import { cancelOperation } from '../../submission/cancel-operation.ts'
import { deleteLeftAllowances } from './left-allowances.ts'

const use = useEngine()

const remembered = () =>
  use.engine.db
    .selectFrom('left_allowances')
    .innerJoin('operations', 'operations.id', 'left_allowances.operation_id')
    .select('left_allowances.operation_id')
    .where('operations.wallet_id', '=', use.client.wallet.walletId)
    .execute()

/** A deposit of a client that ended with its approval issued and not signed. */
async function cancelled(): Promise<void> {
  const { operationId } = await use.client.supply(100n * USDC)
  await cancelOperation(use.engine.parts, use.client.scope, operationId)
}

test('a deposit of an operational wallet that ends is remembered until its approval cannot land', async () => {
  const { organizationId, opWalletId } = await createOperationalWallet(use.engine, use.client)
  const left = { organizationId, opWalletId, strategyId: use.engine.strategy('aave-v3:polygon:USDC').id }
  await cancelled()
  expect(await remembered()).toHaveLength(1)
  await deleteLeftAllowances(use.engine.db, left)
  expect(await remembered(), 'its approval may still land').toHaveLength(1)
  await use.client.useNonce()
  await use.engine.settle()
  await deleteLeftAllowances(use.engine.db, left)
  expect(await remembered()).toEqual([])
})

test('a deposit that completes, and one of a wallet that is not operational, are not remembered', async () => {
  await cancelled()
  await createOperationalWallet(use.engine, use.client)
  await use.client.complete(await use.client.supply(100n * USDC))
  expect(await remembered()).toEqual([])
})
