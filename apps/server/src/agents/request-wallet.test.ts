// Also tested elsewhere: over HTTP with every role and idempotency (surfaces/core/agent/custody.test.ts), and what an
// agent makes of a request (poll-actions.test.ts, report-action.test.ts).
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { beyondQuota, setQuotas } from '../../testing/identity/set-quotas.ts'
import { failingTransact } from '../../testing/index.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { systemRandomSource } from '../kernel/index.ts'
import { registerWallet } from '../wallets/index.ts'
import type { AgentAction } from './action.ts'
import { requestWallet } from './request-wallet.ts'

const store = useStore()
let organizationId: number

beforeEach(async () => {
  organizationId = await store.organization()
})

const request = (blockchain: string, transact?: Parameters<typeof requestWallet>[2]) =>
  requestWallet({ ...store.parts, random: systemRandomSource }, { organizationId, blockchain, label: 'Hot' }, transact)
const stored = (of = organizationId) =>
  store.db
    .selectFrom('agent_actions')
    .select(['id', 'status', 'payload', 'available_at', 'lease_count'])
    .where('organization_id', '=', of)
    .execute()

test('a request is available to the organization’s agents at once', async () => {
  const action = await request('polygon')
  expect(action).toMatchObject({ type: 'CREATE_WALLET', status: 'PENDING' })
  const payload = { blockchain: 'polygon', label: 'Hot' }
  const available_at = store.clock.now()
  expect(await stored()).toEqual([{ id: action.actionId, status: 'PENDING', payload, available_at, lease_count: 0 }])
  expect(await stored(await store.organization())).toEqual([])
})

test('two requests are two wallets, even with the same label', async () => {
  await Promise.all([request('polygon'), request('polygon')])
  expect(await stored()).toHaveLength(2)
})

test('a chain that is not served is VALIDATION_ERROR, one that the default profile lacks FORBIDDEN', async () => {
  await expect(request('solana')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  const profile = store.db.updateTable('wallet_profiles').set({ enabled_chains: ['base'] })
  await profile.where('organization_id', '=', organizationId).execute()
  await expect(request('polygon')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await stored()).toEqual([])
  expect((await request('base')).payload.blockchain).toBe('base')
})

test('a request whose transaction fails at its end leaves no action behind', async () => {
  const transact = failingTransact<AgentAction>(store.db, 'the response could not be stored')
  await expect(request('polygon', transact)).rejects.toThrow('could not be stored')
  expect(await stored()).toEqual([])
})

test('a pending request takes a place in the quota of wallets', async () => {
  await store.wallet({ organizationId })
  await setQuotas(store.db, organizationId, { wallets: 3 })
  const results = await Promise.allSettled([1, 2, 3].map(() => request('polygon')))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toMatchObject([beyondQuota('wallets', 3)])
  expect(await stored()).toHaveLength(2)
})

test('requests to the agent and registrations share the places of one quota, in turns and at the same moment', async () => {
  await setQuotas(store.db, organizationId, { wallets: 3 })
  await request('polygon')
  await request('polygon')
  const register = () =>
    registerWallet(store.parts, {
      scope: { organizationId, walletProfileId: null },
      walletAddress: privateKeyToAccount(generatePrivateKey()).address,
      blockchain: 'polygon',
    })
  const results = await Promise.allSettled([register(), request('polygon'), register(), request('polygon'), register()])
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toMatchObject([1, 2, 3, 4].map(() => beyondQuota('wallets', 3)))
  await expect(register()).rejects.toMatchObject(beyondQuota('wallets', 3))
})
