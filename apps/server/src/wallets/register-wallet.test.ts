// Also tested elsewhere: over HTTP with every scope (system/venues/wallets-and-venues.test.ts), many at the same moment
// (system/documents/requests.test.ts), and hostile input (system/fuzzing/fuzz.test.ts).
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { beyondQuota, setQuotas } from '../../testing/identity/set-quotas.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { registerWallet } from './register-wallet.ts'

const store = useStore()
const address = () => privateKeyToAccount(generatePrivateKey()).address
const register = (organizationId: number, walletAddress: string, more = {}) =>
  registerWallet(store.parts, {
    scope: { organizationId, walletProfileId: null },
    walletAddress,
    blockchain: 'polygon',
    ...more,
  })
const accounts = (walletId: number) =>
  store.db.selectFrom('ledger_balances').selectAll().where('wallet_id', '=', walletId).execute()

test('a new wallet gets an account for every token of its chain, and the same address again changes nothing', async () => {
  const organizationId = await store.organization()
  const walletAddress = address()
  const first = await register(organizationId, walletAddress, { userId: 'ada' })
  expect(first).toMatchObject({ created: true, wallet: { userId: 'ada' } })
  expect(await accounts(first.wallet.walletId)).toHaveLength(store.chain.network.tokens.length)
  const again = await register(organizationId, walletAddress.toLowerCase(), { userId: 'bob' })
  expect(again).toEqual({ created: false, wallet: first.wallet })
})

test('the same address is another wallet for another organization', async () => {
  const walletAddress = address()
  const first = await register(await store.organization(), walletAddress)
  const second = await register(await store.organization(), walletAddress)
  expect(second.created).toBe(true)
  expect(second.wallet.walletId).not.toBe(first.wallet.walletId)
})

test('text that is no address is INVALID_ADDRESS, and a chain that the profile lacks is FORBIDDEN', async () => {
  const organizationId = await store.organization()
  const walletAddress = address()
  const { wallet } = await register(organizationId, walletAddress)
  await expect(register(organizationId, '0x12')).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  await store.db
    .updateTable('wallet_profiles')
    .set({ enabled_chains: ['solana'] })
    .where('organization_id', '=', organizationId)
    .execute()
  await expect(register(organizationId, address())).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const wallets = store.db.selectFrom('wallets').select('id').where('organization_id', '=', organizationId)
  expect(await wallets.execute()).toEqual([{ id: wallet.walletId }])
  // One that is registered already gets its wallet, as before.
  expect(await register(organizationId, walletAddress)).toEqual({ wallet, created: false })
})

test('many registrations of one address at the same moment create one wallet', async () => {
  const organizationId = await store.organization()
  const walletAddress = address()
  const results = await Promise.all([1, 2, 3, 4].map(() => register(organizationId, walletAddress)))
  expect(results.filter(({ created }) => created)).toHaveLength(1)
  expect(new Set(results.map(({ wallet }) => wallet.walletId)).size).toBe(1)
})

test('an organization at its quota gets no further wallet, and its wallets can still be registered again', async () => {
  const organizationId = await store.organization()
  await setQuotas(store.db, organizationId, { wallets: 2 })
  const addresses = [address(), address(), address(), address()]
  const results = await Promise.allSettled(addresses.map((one) => register(organizationId, one)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toMatchObject([beyondQuota('wallets', 2), beyondQuota('wallets', 2)])
  const wallets = store.db.selectFrom('wallets').select('address').where('organization_id', '=', organizationId)
  const registered = (await wallets.execute()).map((row) => row.address)
  expect(registered).toHaveLength(2)
  for (const one of registered) expect(await register(organizationId, one)).toMatchObject({ created: false })
  expect((await register(await store.organization(), address())).created).toBe(true)
})
