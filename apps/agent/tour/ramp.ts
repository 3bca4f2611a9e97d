import type { Client, Network } from '../../server/tour/client.ts'
import { withProgress } from '../../server/tour/with-progress.ts'
import type { Custody } from './custody.ts'
import type { People } from './people.ts'
import { until } from './until.ts'

const BUFFER = '10000'
const DEPOSIT_USD = 50_000
const DAYS = 30
const BANK = {
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
  account_holder_name: 'Basalt Payments',
  bank_name: 'First Bank of the Tour',
}

interface Record {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly usd_amount: string
  readonly total_fee: string
  readonly delivered_amount: string | null
  readonly tx_hash: string | null
}

interface OperationalWallet {
  readonly id: number
  readonly availableBalance: string
  readonly deployedBalance: string
}

/** Everything that the tour talks to. */
export interface RampTourContext {
  readonly people: People
  readonly client: Client
  readonly custody: Custody
  readonly network: Network
  readonly say: (line: string) => void
}

/**
 * Money in and out by bank: verification, a recipient, an on-ramp that delivers real tokens, a buffer that deploys
 * them, yield, and an off-ramp of the proceeds. Prints a line for each step.
 */
export async function runRamp(stage: RampTourContext): Promise<void> {
  const { client, people, say } = stage
  await client.post('/v1/ramp/org/kyb/start')
  await client.post('/v1/ramp/org/kyb/simulate-approve')
  say('verified     the organization is approved')
  const address = { street1: '1 Main Street', city: 'Springfield', postal_code: '00000' }
  const recipient = await client.post<{ id: number }>('/v1/ramp/recipients', { name: 'Basalt Payments', address })
  await client.post(`/v1/ramp/recipients/${recipient.id}/kyb/simulate-approve`)
  say(`verified     recipient ${recipient.id}, Basalt Payments, is approved`)

  const wallet = await createOperationalWallet(stage)
  const agent = await stage.custody.startAgent()
  try {
    await onramp(stage, recipient.id, wallet)
    await withProgress(say, `${DAYS} days to pass on every chain`, () =>
      client.post('/v1/sandbox/advance-time', { seconds: DAYS * 86_400 }),
    )
    const grown = await readOperationalWallet(people, wallet.opWalletId)
    say(`${DAYS} days      the position is worth ${grown.deployedBalance}`)
    await offramp(stage, recipient.id, wallet)
  } finally {
    await agent.stop()
  }
}

interface Wallet {
  readonly walletId: number
  readonly opWalletId: number
  readonly address: string
}

async function createOperationalWallet({ people, custody, network, client, say }: RampTourContext): Promise<Wallet> {
  const { blockchain } = network
  const address = await custody.newAddress(blockchain)
  const { id: walletId } = await people.post<{ id: number }>('/api/core/org-wallets', { address, blockchain })
  const monitoring = { orgWalletId: walletId, bufferAmount: BUFFER }
  const { id: opWalletId } = await people.post<{ id: number }>('/api/core/wallets/add-and-monitor', monitoring)
  await client.post('/v1/sandbox/faucet', {
    walletAddress: address,
    blockchain,
    token: 'native',
    amount: '1000000000000000000',
  })
  say(`wallet       ${address} on ${blockchain}, buffer ${BUFFER}.00`)
  return { walletId, opWalletId, address }
}

async function onramp(stage: RampTourContext, recipientId: number, wallet: Wallet): Promise<void> {
  const { client, people, say } = stage
  const account = await client.post<{ id: number; account_number: string; routing_number: string }>(
    `/v1/ramp/recipients/${recipientId}/onramp-accounts`,
    { destination_wallet_id: wallet.walletId },
  )
  say(`on-ramp      account ${account.account_number}, routing number ${account.routing_number}`)
  await client.post(`/v1/ramp/recipients/${recipientId}/simulate-transaction`, {
    onramp_account_id: account.id,
    usd_amount: DEPOSIT_USD,
    step_delay_ms: 300,
  })
  const record = await completed(stage, 'onramp')
  say(
    `on-ramp      ${record.usd_amount} USD received, fee ${record.total_fee}, ${record.delivered_amount} USDC delivered`,
  )
  const deployed = await until(say, 'the deployment', async () => {
    const found = await readOperationalWallet(people, wallet.opWalletId)
    return Number(found.deployedBalance) > 39_000 && Number(found.availableBalance) <= 10_000 ? found : undefined
  })
  say(`deployed     by the rebalancer: ${deployed.deployedBalance}, liquid: ${deployed.availableBalance}`)
}

async function offramp(stage: RampTourContext, recipientId: number, wallet: Wallet): Promise<void> {
  const { client, people, custody, network, say } = stage
  const { allocations } = await people.get<{ allocations: { id: number; opWalletId: number }[] }>('/api/v1/allocations')
  for (const { id } of allocations) await people.post(`/api/v1/allocations/${id}/withdraw`, { full: true })
  const back = await until(say, 'the withdrawal', async () => {
    const found = await readOperationalWallet(people, wallet.opWalletId)
    return Number(found.deployedBalance) === 0 ? found : undefined
  })
  say(`withdrawn    ${back.availableBalance} USDC are liquid`)

  const account = await client.post<{ source_crypto_address: string }>(
    `/v1/ramp/recipients/${recipientId}/offramp-accounts`,
    {
      org_wallet_id: wallet.walletId,
      bank_details: BANK,
    },
  )
  const token = network.tokens.find(({ symbol }) => symbol === 'USDC')!
  const amount = BigInt(back.availableBalance.replace('.', '').padEnd(back.availableBalance.indexOf('.') + 6, '0'))
  const hash = await custody.sendTokens(wallet.address, {
    rpcUrl: network.rpcUrl,
    chainId: network.chainId!,
    token: token.address,
    to: account.source_crypto_address,
    amount,
  })
  say(`off-ramp     all of it sent to ${account.source_crypto_address}, transaction ${hash.slice(0, 10)}…`)
  const record = await completed(stage, 'offramp')
  say(`off-ramp     ${record.usd_amount} USD, fee ${record.total_fee}, paid out to a bank`)
}

function completed({ client, say }: Pick<RampTourContext, 'client' | 'say'>, type: string): Promise<Record> {
  return until(say, `the ${type}`, async () => {
    const { data } = await client.get<{ data: Record[] }>(`/v1/ramp/transactions?type=${type}`)
    if (data[0]?.status === 'failed') throw new Error(`the ${type} failed: ${JSON.stringify(data[0])}`)
    return data[0]?.status === 'completed' ? data[0] : undefined
  })
}

async function readOperationalWallet(people: People, id: number): Promise<OperationalWallet> {
  const all = await people.get<OperationalWallet[]>('/api/core/wallets/monitored')
  return all.find((wallet) => wallet.id === id)!
}
