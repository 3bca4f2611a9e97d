// Also tested in: submission/query-and-rpc-costs.test.ts (far from the limit it costs no statement).
import { expect, test } from 'vitest'
import { beyondQuota, setQuotas } from '../../../testing/identity/set-quotas.ts'
import { expectRefused } from '../../../testing/operations/expect-refused.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import { USDC } from '../../../testing/units.ts'
import type { Wallet } from '../../wallets/index.ts'

const store = useStore()
const supply = (wallet: Wallet, amount = 100n * USDC) =>
  store.plan(wallet, { amount, nonce: 0, onChainBalance: 1_000n * USDC })

test('an organization at its quota plans nothing more, except in place of an operation that it supersedes', async () => {
  const wallet = await store.wallet()
  const { organizationId } = wallet
  const other = await store.wallet({ organizationId })
  await setQuotas(store.db, organizationId, { pendingOperations: 1 })
  const first = await supply(wallet)
  await expectRefused(store.db, 'CONFLICT', () => supply(other))
  await expect(supply(other)).rejects.toMatchObject(beyondQuota('pendingOperations', 1))
  const second = await supply(wallet)
  expect(second.cancelledOperations).toEqual([first.operationId])
})

test('only one of several simultaneous plans of different wallets takes the last place', async () => {
  const first = await store.wallet()
  const { organizationId } = first
  const wallets = [first, await store.wallet({ organizationId }), await store.wallet({ organizationId })]
  await setQuotas(store.db, organizationId, { pendingOperations: 1 })
  const results = await Promise.allSettled(wallets.map((wallet) => supply(wallet)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('an agent’s operation takes a place too', async () => {
  const wallet = await store.wallet()
  const opWallet = await store.operationalWallet(wallet)
  await setQuotas(store.db, wallet.organizationId, { pendingOperations: 0 })
  await expectRefused(store.db, 'CONFLICT', () => store.move(opWallet))
  await setQuotas(store.db, wallet.organizationId, {})
  await store.move(opWallet)
})
