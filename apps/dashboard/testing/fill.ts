import { clientWallet, requestsTo, strategiesOf, until } from './client-wallet.ts'
import { fillRisk } from './fill-risk.ts'

/** What an organization is filled with, for tests and pictures: a treasury, payments, people, keys and a webhook. */
export interface Filled {
  readonly password: string
  /** Email by role. */
  readonly emails: Readonly<Record<'owner' | 'admin' | 'approver' | 'viewer', string>>
}

const PASSWORD = 'a long enough password'

/** Fills a new organization of the service at `url` over its API. */
export async function fill(url: string, name = 'Basalt Payments'): Promise<Filled> {
  const domain = `${name.toLowerCase().replaceAll(/\W/g, '')}-${Date.now().toString(36)}.example`
  const emails = {
    owner: `olga@${domain}`,
    admin: `adam@${domain}`,
    approver: `ada@${domain}`,
    viewer: `vera@${domain}`,
  }
  const session = await requestsTo(url)('POST', '/api/core/auth/register', {
    email: emails.owner,
    password: PASSWORD,
    name: 'Olga',
    organizationName: name,
  })
  const asOwner = requestsTo(url, { authorization: `Bearer ${session.accessToken}` })
  for (const role of ['admin', 'approver', 'viewer'] as const) {
    await asOwner('POST', '/api/core/members', { email: emails[role], role, name: role, password: PASSWORD })
  }
  const key = await asOwner('POST', '/api/core/apikeys/generate', { name: 'Treasury service' })
  await asOwner('POST', '/api/core/webhooks', { url: 'https://hooks.basalt.example/weir', events: ['*'] })
  await asOwner('POST', '/api/core/service-accounts', { name: 'Buffer sync', role: 'admin' })
  const keyed = requestsTo(url, { 'x-api-key': key.apiKey })

  const aave = (await strategiesOf(keyed)).find((each) => each.name.startsWith('Aave'))!
  const [requestExits, { walletId }] = await Promise.all([
    fillRisk({ keyed, asOwner }),
    clientWallet(keyed, '250000000000').then(async (wallet) => {
      await wallet.supply(aave.strategyId, '150000000000')
      return wallet
    }),
  ])
  await keyed('POST', '/v1/sandbox/advance-time', { seconds: 30 * 86_400 })
  const exitsRequested = requestExits()

  await keyed('POST', '/v1/ramp/org/kyb/start')
  await keyed('POST', '/v1/ramp/org/kyb/simulate-approve')
  const onramp = await keyed('POST', '/v1/ramp/org/onramp-accounts', {
    destination_wallet_id: walletId,
    destination_asset: 'USDC',
  })
  await keyed('POST', '/v1/ramp/recipients', { name: 'Granite Supplies', type: 'business' })
  // What a key does wrong is counted.
  await keyed('POST', '/v1/ramp/recipients', { name: '', type: 'business' }).catch(() => undefined)
  await keyed('POST', '/v1/ramp/org/simulate-transaction', {
    scenario: 'success',
    usd_amount: 50_000,
    step_delay_ms: 1,
    onramp_account_id: onramp.id,
  })

  await asOwner('PUT', '/api/core/approval-policy', {
    mode: 'conditional',
    rules: [{ name: 'large', when: { amountAtLeast: '10000.00' }, then: 'require_approval' }],
    default: 'approve',
    requiredApprovals: 2,
  })
  await asOwner('PUT', `/api/core/wallets/${walletId}`, { label: 'Payouts' })
  await asOwner('POST', '/api/core/wallets/add-and-monitor', {
    orgWalletId: walletId,
    token: 'USDC',
    bufferAmount: '25000.00',
  })
  await until(asOwner, '/api/core/operations/queue', ({ intents }) =>
    (intents as { status: string }[]).some(({ status }) => status === 'PENDING_APPROVAL'),
  )
  await exitsRequested
  await asOwner('PUT', '/api/core/change-policy', { rules: { keys: { requiredApprovals: 1, coolingOffSeconds: 0 } } })
  await asOwner('POST', '/api/core/apikeys/generate', { name: 'Payroll', permissions: ['read', 'ramp'] })
  return { password: PASSWORD, emails }
}
