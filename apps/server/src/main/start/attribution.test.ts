import { beforeEach, expect, test } from 'vitest'
import { freshAddress } from '../../../testing/chains/fresh-address.ts'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { useTreasury } from '../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../testing/units.ts'
import { generateKey, verifyAuditLogs } from '../../identity/index.ts'
import { coreRoutes } from '../../surfaces/core/index.ts'
import { v1Routes } from '../../surfaces/v1/index.ts'

const treasury = useTreasury((app, parts) => {
  v1Routes(app, parts, 'http://127.0.0.1:3000')
  coreRoutes(app, parts, { preview: false, registration: 'open' })
})
let client: TestClient
let key: { readonly id: number; readonly apiKey: string }
beforeEach(async () => {
  const { engine, core, staff } = treasury
  key = await generateKey(core.parts, { organizationId: staff.organizationId, name: 'Backend' })
  client = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
})

type Method = 'POST' | 'PATCH' | 'GET'
const send = (method: Method, url: string, body?: object, more: object = {}) =>
  treasury.core.call(method, url, { key: key.apiKey, ...(body && { body }), ...more })

/** The entries of the test's key, oldest first. */
async function entries() {
  const url = `/api/core/audit-log?actor=key:${key.id}`
  const { body } = await treasury.core.call('GET', url, { token: treasury.staff.tokens.owner })
  return body.data.entries.reverse()
}
const brief = async () =>
  (await entries()).map(({ action, object }: { action: string; object: { type: string; id: number | null } }) => [
    action,
    object.type,
    object.id,
  ])
const supplyBody = (amount = 10n * USDC) => ({
  walletId: client.wallet.walletId,
  strategyId: treasury.engine.strategy('aave-v3:polygon:USDC').id,
  tokenAddress: treasury.engine.strategy('aave-v3:polygon:USDC').tokenAddress,
  amount: String(amount),
})

test('each change by a key on v1 writes an entry with the key and the object, and the chain stays valid', async () => {
  const register = { walletAddress: freshAddress(), blockchain: 'polygon' }
  const wallet = (await send('POST', '/v1/wallets/register', register)).body
  await send('PATCH', `/v1/wallets/${wallet.walletId}`, { userId: 'u-1' })
  const operation = (await send('POST', '/v1/operations/supply', supplyBody())).body
  await send('POST', `/v1/operations/${operation.operationId}/cancel`)
  expect(await brief()).toEqual([
    ['registerWallet', 'wallet', wallet.walletId],
    ['changeWallet', 'wallet', wallet.walletId],
    ['planSupply', 'operation', operation.operationId],
    ['cancelOperation', 'operation', operation.operationId],
  ])
  expect((await entries())[0]).toMatchObject({ actor: { type: 'key', id: key.id, name: 'Backend' }, from: '127.0.0.1' })
  for await (const { broken } of verifyAuditLogs(treasury.engine.db)) expect(broken).toBeUndefined()
})

test('reads, refusals and replays on v1 write no entries', async () => {
  await send('GET', '/v1/wallets')
  await send('POST', '/v1/operations/supply', supplyBody(10_000n * USDC))
  await send('PATCH', '/v1/wallets/999999999', { userId: 'u-1' })
  expect(await entries()).toEqual([])
  const once = { idempotencyKey: `once-${key.id}` }
  await send('POST', '/v1/operations/supply', supplyBody(), once)
  await send('POST', '/v1/operations/supply', supplyBody(), once)
  expect((await brief()).map(([action]: [string]) => action)).toEqual(['planSupply'])
})

test('a poll that leases and a report write entries of the agent’s key; a poll without work and a renewal write none', async () => {
  const poll = () => send('POST', '/api/agent/transactions/poll', {})
  await poll()
  expect(await entries()).toEqual([])
  const wallet = await createOperationalWallet(treasury.engine, client)
  await planExplicitMove(treasury.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  const { id, leaseToken } = (await poll()).body.data.transaction
  await poll()
  await send('POST', `/api/agent/transactions/${id}/renew`, { leaseDurationMs: 30_000, leaseToken })
  await send('POST', `/api/agent/transactions/${id}/report`, { status: 'FAILED', error: 'refused', leaseToken })
  expect(await brief()).toEqual([
    ['pollTransactions', 'transaction', id],
    ['reportTransaction', 'transaction', id],
  ])
})

test('an action that an agent leases and ends writes two entries', async () => {
  const requested = await treasury.core.call('POST', '/api/core/custody/actions/create-wallet', {
    token: treasury.staff.tokens.owner,
    body: { blockchain: 'polygon', label: 'New' },
  })
  const { id } = requested.body.data
  await send('POST', '/api/agent/actions/poll', {})
  await send('POST', '/api/agent/actions/poll', {})
  await send('POST', `/api/agent/actions/${id}/report`, { status: 'FAILED', error: 'no key' })
  expect(await brief()).toEqual([
    ['pollActions', 'agent_action', id],
    ['reportAction', 'agent_action', id],
  ])
})

test('the entries of concurrent plans of one organization’s wallets are all chained', async () => {
  const clients = [client]
  for (let more = 0; more < 4; more += 1)
    clients.push(await treasury.engine.client({ organizationId: treasury.staff.organizationId, usdc: 1_000n * USDC }))
  await treasury.engine.settle()
  await Promise.all(
    clients.map(({ wallet }) => send('POST', '/v1/operations/supply', { ...supplyBody(), walletId: wallet.walletId })),
  )
  expect(await brief()).toHaveLength(5)
  for await (const { broken } of verifyAuditLogs(treasury.engine.db)) expect(broken).toBeUndefined()
})

test('wallets and operational wallets name who created them, and rows of earlier versions name nobody', async () => {
  const { core, engine, staff } = treasury
  const register = { walletAddress: freshAddress(), blockchain: 'polygon' }
  const { walletId } = (await send('POST', '/v1/wallets/register', register)).body
  const token = staff.tokens.admin
  const admin = { type: 'user', id: staff.ids.admin }
  const added = await core.call('POST', '/api/core/wallets/add-and-monitor', {
    token,
    body: { orgWalletId: walletId, token: 'USDC' },
  })
  expect(added.body.data).toMatchObject({ createdBy: admin })
  const monitored = await core.call('GET', '/api/core/wallets/monitored', { token })
  expect(monitored.body.data).toMatchObject([{ createdBy: admin }])
  const wallets = (await core.call('GET', '/api/core/wallets', { token })).body.data
  const shown = Object.fromEntries(
    wallets.map((wallet: { id: number; createdBy: unknown }) => [wallet.id, wallet.createdBy]),
  )
  expect(shown).toEqual({ [walletId]: { type: 'key', id: key.id }, [client.wallet.walletId]: null })
  const [row] = await engine.db.selectFrom('wallets').selectAll().where('id', '=', walletId).execute()
  expect(row).toMatchObject({ created_by_type: 'key', created_by_id: key.id })
})
