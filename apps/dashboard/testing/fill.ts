import { parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A parsed response; its shape is the API's. */
type Answer = ReturnType<typeof JSON.parse>

/** What an organization is filled with, for tests and pictures: a treasury, payments, people, keys and a webhook. */
export interface Filled {
  readonly password: string
  /** E-mail by role. */
  readonly emails: Readonly<Record<'owner' | 'admin' | 'approver' | 'viewer', string>>
}

const PASSWORD = 'a long enough password'
const WAIT_MS = 60_000

/** Fills a new organization of the service at `url` over its API. */
export async function fill(url: string, name = 'Basalt Payments'): Promise<Filled> {
  let headers: Record<string, string> = {}
  const request = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const parsed = (await response.json()) as { data?: Answer }
    if (!response.ok) throw new Error(`${method} ${path} → ${response.status} ${JSON.stringify(parsed)}`)
    return path.startsWith('/api/') ? (parsed.data as Answer) : (parsed as unknown as Answer)
  }
  const post = (path: string, body: unknown = {}) => request('POST', path, body)
  const domain = `${name.toLowerCase().replaceAll(/\W/g, '')}-${Date.now().toString(36)}.example`
  const emails = {
    owner: `olga@${domain}`,
    admin: `adam@${domain}`,
    approver: `ada@${domain}`,
    viewer: `vera@${domain}`,
  }
  const session = await post('/api/core/auth/register', {
    email: emails.owner,
    password: PASSWORD,
    name: 'Olga',
    organizationName: name,
  })
  const bearer = { authorization: `Bearer ${session.accessToken}` }
  headers = bearer
  for (const role of ['admin', 'approver', 'viewer'] as const) {
    await post('/api/core/members', { email: emails[role], role, name: role, password: PASSWORD })
  }
  const key = await post('/api/core/apikeys/generate', { name: 'Treasury service' })
  await post('/api/core/webhooks', { url: 'https://hooks.basalt.example/weir', events: ['*'] })
  headers = { 'x-api-key': key.apiKey }

  const account = privateKeyToAccount(generatePrivateKey())
  const holder = { walletAddress: account.address, blockchain: 'polygon' }
  const { walletId } = await post('/v1/wallets/register', holder)
  await post('/v1/sandbox/faucet', { ...holder, token: 'USDC', amount: '250000000000' })
  const { venues } = await request('GET', '/v1/venues?blockchain=polygon&token=USDC')
  const strategy = (venues as { strategies: { strategyId: number; name: string; tokenAddress: string }[] }[])
    .flatMap(({ strategies }) => strategies)
    .find((each) => each.name.startsWith('Aave'))!
  const { strategyId, tokenAddress } = strategy
  const planned = await post('/v1/operations/supply', { walletId, strategyId, tokenAddress, amount: '150000000000' })
  for (const { id, unsignedTransaction } of planned.transactions as {
    id: number
    unsignedTransaction: `0x${string}`
  }[]) {
    const signedTransaction = await account.signTransaction(parseTransaction(unsignedTransaction) as never)
    await post('/v1/transactions/submit-signed', {
      operationId: planned.operationId,
      transactionId: id,
      signedTransaction,
    })
  }
  const until = async (path: string, isDone: (answer: Answer) => boolean) => {
    for (const deadline = Date.now() + WAIT_MS; !isDone(await request('GET', path)); ) {
      if (Date.now() > deadline) throw new Error(`${path} took too long`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  await until(`/v1/operations/${planned.operationId}`, ({ status }) => status === 'CONFIRMED')
  await post('/v1/sandbox/advance-time', { seconds: 30 * 86_400 })

  await post('/v1/ramp/org/kyb/start')
  await post('/v1/ramp/org/kyb/simulate-approve')
  const onramp = await post('/v1/ramp/org/onramp-accounts', {
    destination_wallet_id: walletId,
    destination_asset: 'USDC',
  })
  await post('/v1/ramp/recipients', { name: 'Granite Supplies', type: 'business' })
  await post('/v1/ramp/org/simulate-transaction', {
    scenario: 'success',
    usd_amount: 50_000,
    step_delay_ms: 1,
    onramp_account_id: onramp.id,
  })

  headers = bearer
  await request('PUT', '/api/core/approval-policy', {
    mode: 'conditional',
    rules: [{ name: 'large', when: { amountAtLeast: '10000.00' }, then: 'require_approval' }],
    default: 'approve',
    requiredApprovals: 2,
  })
  await request('PUT', `/api/core/wallets/${walletId}`, { label: 'Payouts' })
  await post('/api/core/wallets/add-and-monitor', { orgWalletId: walletId, token: 'USDC', bufferAmount: '25000.00' })
  await until('/api/core/operations/queue', ({ intents }) =>
    (intents as { status: string }[]).some(({ status }) => status === 'PENDING_APPROVAL'),
  )
  await request('PUT', '/api/core/change-policy', { rules: { keys: { requiredApprovals: 1, coolingOffSeconds: 0 } } })
  await post('/api/core/apikeys/generate', { name: 'Payroll', permissions: ['read', 'ramp'] })
  return { password: PASSWORD, emails }
}
