// Also tested elsewhere: over HTTP with every role (surfaces/core/treasury/operational-wallets.test.ts), and by
// what the rebalancer makes of them (rebalancing/evaluate-due-wallets.test.ts).
import { expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'

const store = useStore()
const dueAt = async (id: number) =>
  (await store.db.selectFrom('operational_wallets').select('due_at').where('id', '=', id).executeTakeFirstOrThrow())
    .due_at

test('it is due for its first evaluation at once', async () => {
  const { opWalletId } = await store.operationalWallet(await store.wallet())
  expect(await dueAt(opWalletId)).toEqual(store.clock.now())
})

test('the same token twice is CONFLICT, and changes nothing', async () => {
  const wallet = await store.wallet()
  const first = await store.operationalWallet(wallet)
  await expect(store.operationalWallet(wallet)).rejects.toMatchObject({ code: 'CONFLICT' })
  const rows = store.db.selectFrom('operational_wallets').select('id').where('wallet_id', '=', wallet.walletId)
  expect(await rows.execute()).toEqual([{ id: first.opWalletId }])
})
