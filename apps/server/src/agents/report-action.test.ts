// Also tested elsewhere: over HTTP with its leases (surfaces/core/agent/custody.test.ts), and an agent that is killed
// at each step of it (apps/agent/system/interruptions.test.ts).
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../testing/use-store.ts'
import { systemRandomSource } from '../kernel/index.ts'
import type { AgentParts } from './parts.ts'
import { reportActionSuccess } from './report-action.ts'
import { requestWallet } from './request-wallet.ts'

const store = useStore()
let parts: AgentParts
let organizationId: number
let actionId: number

beforeEach(async () => {
  parts = { ...store.parts, random: systemRandomSource }
  organizationId = await store.organization()
  const requested = await requestWallet(parts, { organizationId, blockchain: 'polygon', label: 'Cold' })
  expect(requested).toMatchObject({ status: 'PENDING', payload: { blockchain: 'polygon', label: 'Cold' } })
  actionId = requested.actionId
})

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const report = (address: string, by = organizationId) =>
  reportActionSuccess(parts, { organizationId: by, actionId, result: { address } })
const wallets = () =>
  store.db.selectFrom('wallets').select(['address', 'label']).where('organization_id', '=', organizationId).execute()

test('a success registers the key as a wallet with its label, and the same report returns the same result', async () => {
  const address = newAddress()
  const first = await report(address)
  expect(first).toMatchObject({ status: 'SUCCESS', result: { address } })
  expect(await report(address)).toEqual(first)
  expect(await wallets()).toEqual([{ address, label: 'Cold' }])
})

test('a second report with another address is CONFLICT and registers no wallet', async () => {
  const address = newAddress()
  await report(address)
  await expect(report(newAddress())).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await wallets()).toEqual([{ address, label: 'Cold' }])
})

test('of two addresses reported at the same moment one counts, and the other is no wallet', async () => {
  const results = await Promise.allSettled([report(newAddress()), report(newAddress())])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await wallets()).toHaveLength(1)
})

test('a malformed address is INVALID_ADDRESS, another organization’s action NOT_FOUND; the action stays pending', async () => {
  await expect(report('0x12')).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  const other = await store.organization()
  await expect(report(newAddress(), other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await wallets()).toEqual([])
  expect((await report(newAddress())).status).toBe('SUCCESS')
})
