// Also tested elsewhere: over HTTP with every role (surfaces/core/treasury/operational-wallets.test.ts), and by
// what the rebalancer makes of them (rebalancing/evaluate-due-wallets.test.ts).
import { expect, test } from 'vitest'
import { createOperationalWallet } from '../../testing/operational-wallets.ts'
import { useChain } from '../../testing/use-chain.ts'
import { updateOperationalWallet } from './update-operational-wallet.ts'

const use = useChain()
const dueAt = async (id: number) =>
  (
    await use.engine.db
      .selectFrom('operational_wallets')
      .select('due_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).due_at

test('it is due for its first evaluation at once', async () => {
  const { opWalletId } = await createOperationalWallet(use.engine, await use.engine.client({ usdc: 0n }))
  expect(await dueAt(opWalletId)).toEqual(use.engine.clock.now())
})

test('the same token twice is CONFLICT, and changes nothing', async () => {
  const client = await use.engine.client({ usdc: 0n })
  const first = await createOperationalWallet(use.engine, client)
  await expect(createOperationalWallet(use.engine, client)).rejects.toMatchObject({ code: 'CONFLICT' })
  const rows = use.engine.db
    .selectFrom('operational_wallets')
    .select('id')
    .where('wallet_id', '=', client.wallet.walletId)
  expect(await rows.execute()).toEqual([{ id: first.opWalletId }])
})

test('a change schedules an evaluation, and another organization finds nothing to change', async () => {
  const client = await use.engine.client({ usdc: 0n })
  const { organizationId, opWalletId } = await createOperationalWallet(use.engine, client)
  await use.engine.db.updateTable('operational_wallets').set({ due_at: null }).where('id', '=', opWalletId).execute()
  const disable = (by: number) =>
    updateOperationalWallet(use.engine.parts, { organizationId: by, opWalletId, enableYield: false })
  await expect(disable(await use.engine.organization())).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' })
  expect(await dueAt(opWalletId)).toBeNull()
  expect((await disable(organizationId)).operationalWallet.enableYield).toBe(false)
  expect(await dueAt(opWalletId)).toEqual(use.engine.clock.now())
})
