import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedSystem } from '../../../apps/server/system/service/shared-system.ts'
import type { System } from '../../../apps/server/system/service/start-system.ts'
import { Weir } from '../../sdk/src/index.ts'
import { type Assistant, HIDDEN, ORDER, startAssistantAt } from './assistant.ts'

const STREET = '17 Analytical Avenue'
const WEBHOOK_SECRET = 'path-that-is-a-secret'
const DAY = '2026-01-01'
const at = `${DAY}T00:00:00Z`

let system: System
let session: Weir
let walletId: number
let opWalletId: number
let recipientId: number
let webhookId: number
let fullNumber: string
/** With an organization's key that reads; with one that also reads payments; with a viewer's service account. */
let reader: Assistant
let payer: Assistant
let auditor: Assistant

async function keyWith(...permissions: ('read' | 'ramp')[]): Promise<string> {
  const generated = await session.core.apiKeys.generate({ name: `Assistant ${ORDER}`, permissions })
  if (!('apiKey' in generated)) throw new Error('no change policy is set')
  return generated.apiKey!
}

/** A recipient with a bank account, whose name gives orders. */
async function openRamp(): Promise<void> {
  const { ramp } = new Weir({ baseUrl: system.process.url, apiKey: system.credentials.organizationApiKey }).v1
  const address = { street1: STREET, city: 'Springfield', country: 'US' }
  recipientId = (await ramp.recipients.create({ name: `${ORDER}${HIDDEN}`, address })).id
  await ramp.recipients.simulateApprove(recipientId)
  const opened = await ramp.recipients.openOnrampAccount(recipientId, { destination_wallet_id: walletId })
  if (!('account_number' in opened)) throw new Error('no change policy is set')
  fullNumber = opened.account_number
  await ramp.kyb.start()
  await ramp.recipients.simulateOnramp(recipientId, { usd_amount: 100 })
}

beforeAll(async () => {
  system = await sharedSystem()
  const { process, credentials } = system
  const { email, password, profileApiKey } = credentials
  const opened = await new Weir({ baseUrl: process.url }).core.auth.logIn({ email, password })
  if (!('accessToken' in opened)) throw new Error('the demo user has no second factor')
  session = new Weir({ baseUrl: process.url, accessToken: opened.accessToken! })
  const { v1 } = new Weir({ baseUrl: process.url, apiKey: profileApiKey })
  const walletAddress = privateKeyToAccount(generatePrivateKey()).address
  walletId = (await v1.wallets.register({ walletAddress, blockchain: 'polygon' })).walletId
  opWalletId = (await session.core.wallets.monitor({ orgWalletId: walletId, token: 'USDC' })).opWalletId
  await openRamp()
  const webhook = await session.core.webhooks.create({
    url: `http://127.0.0.1:9/${WEBHOOK_SECRET}`,
    events: ['break.opened'],
    description: `${ORDER}${HIDDEN}`,
  })
  if (!('secret' in webhook)) throw new Error('no change policy is set')
  webhookId = webhook.id
  await session.core.webhooks.test(webhookId)
  const account = await session.core.serviceAccounts.create({ name: 'Auditor', role: 'viewer' })
  if (!('secret' in account)) throw new Error('no change policy is set')
  reader = await startAssistantAt(process.url, await keyWith('read'))
  payer = await startAssistantAt(process.url, await keyWith('read', 'ramp'))
  auditor = await startAssistantAt(process.url, '', { WEIR_SERVICE_ACCOUNT_SECRET: account.secret! })
}, 180_000)
afterAll(async () => {
  await Promise.all([reader?.close(), payer?.close(), auditor?.close()])
  await system?.stop()
})

/** The data of a tool, which must not fail. */
async function dataOf(assistant: Assistant, tool: string, input: Record<string, unknown> = {}): Promise<unknown> {
  const { isError, result } = await assistant.call(tool, input)
  expect(isError, `${tool}: ${JSON.stringify(result)}`).toBe(false)
  expect(Object.keys(result)).toEqual(['untrustedData'])
  for (const character of HIDDEN) expect(JSON.stringify(result)).not.toContain(character)
  return result.untrustedData
}

/** Reads on core that an organization's key and a service account have in common. */
const COMMON: readonly (readonly [string, () => Record<string, unknown>])[] = [
  ['list_operational_wallets', () => ({})],
  ['get_operational_wallet', () => ({ opWalletId })],
  ['list_organization_wallets', () => ({ q: '0x' })],
  ['get_organization_wallet', () => ({ walletId })],
  ['list_ledger_entries', () => ({ walletId, token: 'USDC' })],
  ['get_balances_at', () => ({ at })],
  ['get_positions_at', () => ({ at })],
  ['list_core_operations', () => ({})],
  ['list_core_operations', () => ({ ended: true, limit: 100 })],
  ['get_operation_stats', () => ({})],
  ['list_core_exits', () => ({ status: 'pending' })],
  ['get_liquidity', () => ({})],
  ['list_strategy_risks', () => ({})],
  ['get_strategy_history', () => ({ day: DAY })],
  ['get_quotas', () => ({})],
]

describe('an assistant with an organization key', () => {
  test.each([
    ...COMMON,
    ['get_venue', () => ({ venueId: 1 })],
    ['get_allocation_summary', () => ({ blockchain: 'polygon' })],
  ] as const)('%s answers', async (tool, input) => {
    await dataOf(reader, tool, input())
  })

  test('reads what its key may do', async () => {
    expect(await dataOf(reader, 'get_own_key')).toMatchObject({ scope: 'organization', permissions: ['read'] })
    expect(await dataOf(payer, 'get_own_key')).toMatchObject({ permissions: ['read', 'ramp'] })
  })

  test.each([
    ['get_transaction', { transactionId: 999_999 }, 'TRANSACTION_NOT_FOUND'],
    ['get_exit', { exitId: 999_999 }, 'NOT_FOUND'],
    ['get_core_exit', { exitId: 999_999 }, 'NOT_FOUND'],
    ['get_core_operation', { operationId: 999_999 }, 'OPERATION_NOT_FOUND'],
  ])('%s says that there is no such object', async (tool, input, code) => {
    expect(await reader.call(tool, input)).toMatchObject({
      isError: true,
      result: { untrustedData: { error: { code, status: 404 } } },
    })
  })
})

describe('payments', () => {
  test.each([
    ['list_ramp_transactions', () => ({ ramp_recipient_id: recipientId, type: 'onramp' })],
    ['get_ramp_summary', () => ({ date_from: DAY })],
    ['quote_ramp', () => ({ usd_amount: 100 })],
    ['get_ramp_fees', () => ({})],
    ['get_verification', () => ({})],
    ['list_recipients', () => ({ kyb_status: 'approved' })],
    ['get_recipient', () => ({ recipientId })],
    ['list_onramp_accounts', () => ({})],
    ['list_onramp_accounts', () => ({ recipientId })],
    ['list_offramp_accounts', () => ({})],
    ['list_offramp_accounts', () => ({ recipientId })],
  ] as const)('%s answers a key with the permission ramp, and says to others what is missing', async (tool, input) => {
    const all = JSON.stringify(await dataOf(payer, tool, input()))
    for (const kept of [fullNumber, STREET, '/ramp/kyb/', 'account_number']) expect(all).not.toContain(kept)
    expect(await reader.call(tool, input())).toMatchObject({
      isError: true,
      result: {
        untrustedData: { error: { code: 'FORBIDDEN', message: 'This key does not have the permission ramp.' } },
      },
    })
  })

  test('a recipient, its account and its payment are found, with its name as data', async () => {
    expect(await dataOf(payer, 'get_recipient', { recipientId })).toMatchObject({
      name: ORDER,
      kyb_status: 'approved',
      bank_accounts: [{ type: 'onramp', status: 'active' }],
    })
    expect(await dataOf(payer, 'get_verification')).toMatchObject({ kybStatus: 'pending' })
    const { data } = (await dataOf(payer, 'list_ramp_transactions')) as { data: { id: number }[] }
    const rampTransactionId = data[0]!.id
    expect(await dataOf(payer, 'get_ramp_transaction', { rampTransactionId })).toMatchObject({ usd_amount: '100.00' })
  })
})

describe('an assistant with a service account', () => {
  test.each([
    ...COMMON,
    ['preview_rebalance', () => ({ opWalletId })],
    ['evaluate_approval_policy', () => ({ type: 'SUPPLY', amount: '900.00', walletId })],
    ['list_core_allocations', () => ({ status: 'ACTIVE', opWalletId })],
    ['list_core_events', () => ({ walletId, from: at })],
    ['list_profiles', () => ({})],
    ['list_custody_actions', () => ({})],
    ['get_wallet_stats', () => ({})],
    ['list_change_requests', () => ({ status: 'requested' })],
  ] as const)('%s answers', async (tool, input) => {
    await dataOf(auditor, tool, input())
  })

  test('reads webhooks and their deliveries, without what could send to the receiver', async () => {
    const inLine = await dataOf(auditor, 'list_webhooks', { status: 'active' })
    const one = await dataOf(auditor, 'get_webhook', { webhookId })
    expect(one).toMatchObject({ url: 'http://127.0.0.1:9/…', description: ORDER, status: 'active' })
    expect(JSON.stringify([inLine, one])).not.toContain(WEBHOOK_SECRET)
    await expect
      .poll(() => dataOf(auditor, 'list_webhook_deliveries', { webhookId }))
      .toMatchObject([{ event: 'webhook.test' }])
  })

  test('reads its own role, without previews of its secret', async () => {
    const own = await dataOf(auditor, 'get_own_service_account')
    expect(own).toMatchObject({ name: 'Auditor', role: 'viewer', secrets: [{ expiresAt: null }] })
    expect(JSON.stringify(own)).not.toContain('sa_sandbox_')
  })

  test.each([
    ['get_break', { breakId: 999_999 }],
    ['get_core_event', { eventId: 999_999 }],
    ['get_profile', { profileId: 999_999 }],
    ['get_core_allocation', { allocationId: 999_999 }],
    ['get_change_request', { changeRequestId: 999_999 }],
    ['get_custody_action', { actionId: 999_999 }],
  ])('%s says that there is no such object', async (tool, input) => {
    expect(await auditor.call(tool, input)).toMatchObject({
      isError: true,
      result: { untrustedData: { error: { status: 404 } } },
    })
  })

  test('has no tool for payments, and none for what needs a person', async () => {
    const names = (await auditor.client.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => /ramp|recipient|verification|member|audit|api_key|session/.test(name))).toEqual([])
  })
})

test('with the key of a profile, reads of the organization say what is missing', async () => {
  const ofProfile = await startAssistantAt(system.process.url, system.credentials.profileApiKey)
  expect(await ofProfile.call('get_quotas')).toMatchObject({
    isError: true,
    result: {
      untrustedData: { error: { code: 'FORBIDDEN', message: 'This is a v1-only key (scope profile).' } },
    },
  })
  await ofProfile.close()
})
