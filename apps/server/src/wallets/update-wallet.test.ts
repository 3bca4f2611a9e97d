// Also tested elsewhere: over HTTP with every scope (system/wallets-and-venues.test.ts, system/isolation.test.ts).
import { expect, test } from 'vitest'
import { useChain } from '../../testing/use-chain.ts'
import { labelWallet } from './label-wallet.ts'
import { updateWallet } from './update-wallet.ts'

const use = useChain()

test('omitted fields are unchanged, null clears a field, and metadata is replaced as a whole', async () => {
  const { wallet, scope } = await use.engine.client({ usdc: 0n })
  const update = (change: Parameters<typeof updateWallet>[3]) =>
    updateWallet(use.engine.db, scope, wallet.walletId, change)
  await update({ userId: 'ada', orgMetadata: { a: 1, b: 2 } })
  expect(await update({})).toMatchObject({ userId: 'ada', orgMetadata: { a: 1, b: 2 } })
  expect(await update({ orgMetadata: { c: 3 } })).toMatchObject({ userId: 'ada', orgMetadata: { c: 3 } })
  expect(await update({ userId: null, orgMetadata: null })).toMatchObject({ userId: null, orgMetadata: null })
})

test('a wallet of another organization or profile is WALLET_NOT_FOUND, and stays as it is', async () => {
  const { wallet, scope } = await use.engine.client({ usdc: 0n })
  const others = [
    { organizationId: await use.engine.organization(), walletProfileId: null },
    { ...scope, walletProfileId: 999_999 },
  ]
  for (const other of others) {
    const update = updateWallet(use.engine.db, other, wallet.walletId, { userId: 'mallory' })
    await expect(update).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' })
  }
  expect(await updateWallet(use.engine.db, scope, wallet.walletId, {})).toMatchObject({ userId: null })
})

test('a label belongs to the organization: another one’s wallet is WALLET_NOT_FOUND', async () => {
  const { wallet } = await use.engine.client({ usdc: 0n })
  const { organizationId, walletId } = wallet
  const label = (by: number) => labelWallet(use.engine.parts, { organizationId: by, walletId, label: 'Treasury' })
  await expect(label(await use.engine.organization())).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' })
  expect(await label(organizationId)).toMatchObject({ walletId, label: 'Treasury' })
})
