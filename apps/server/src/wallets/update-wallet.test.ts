// Also tested elsewhere: over HTTP with every scope (system/venues/wallets-and-venues.test.ts, system/access/isolation.test.ts).
import { expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import { updateWallet, type WalletUpdate } from './update-wallet.ts'

const store = useStore()
const scopeOf = ({ organizationId }: { organizationId: number }) => ({ organizationId, walletProfileId: null })

test('omitted fields are unchanged, null clears a field, and metadata is replaced as a whole', async () => {
  const wallet = await store.wallet()
  const scope = scopeOf(wallet)
  const { walletId } = wallet
  const update = (change: WalletUpdate) => updateWallet(store.db, { scope, walletId, change })
  await update({ userId: 'ada', orgMetadata: { a: 1, b: 2 } })
  expect(await update({})).toMatchObject({ userId: 'ada', orgMetadata: { a: 1, b: 2 } })
  expect(await update({ orgMetadata: { c: 3 } })).toMatchObject({ userId: 'ada', orgMetadata: { c: 3 } })
  expect(await update({ userId: null, orgMetadata: null })).toMatchObject({ userId: null, orgMetadata: null })
})

test('a wallet of another organization or profile is WALLET_NOT_FOUND, and stays as it is', async () => {
  const wallet = await store.wallet()
  const scope = scopeOf(wallet)
  const others = [
    { organizationId: await store.organization(), walletProfileId: null },
    { ...scope, walletProfileId: 999_999 },
  ]
  for (const other of others) {
    const update = updateWallet(store.db, { scope: other, walletId: wallet.walletId, change: { userId: 'mallory' } })
    await expect(update).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' })
  }
  expect(await updateWallet(store.db, { scope, walletId: wallet.walletId, change: {} })).toMatchObject({ userId: null })
})
