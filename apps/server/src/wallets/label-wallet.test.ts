// Also tested elsewhere: over HTTP with every role (surfaces/core/treasury).
import { expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import { labelWallet } from './label-wallet.ts'

const store = useStore()

test('a label replaces the previous one, and changes nothing else about the wallet', async () => {
  const wallet = await store.wallet()
  const { organizationId, walletId } = wallet
  const label = (text: string) => labelWallet(store.parts, { organizationId, walletId, label: text })
  expect(await label('Treasury')).toEqual({ ...wallet, label: 'Treasury' })
  expect(await label('Cold')).toEqual({ ...wallet, label: 'Cold' })
})

test('another organization’s wallet is WALLET_NOT_FOUND and keeps its label', async () => {
  const { organizationId, walletId } = await store.wallet()
  const label = (by: number, text: string) => labelWallet(store.parts, { organizationId: by, walletId, label: text })
  await label(organizationId, 'Treasury')
  await expect(label(await store.organization(), 'Mine')).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' })
  const row = store.db.selectFrom('wallets').select('label').where('id', '=', walletId)
  expect(await row.executeTakeFirst()).toEqual({ label: 'Treasury' })
})
