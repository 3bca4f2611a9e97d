import { brief, exact, unitsOf } from '../../server/tour/amounts.ts'
import type { Network } from '../../server/tour/client.ts'
import { type DeliveredEvents, deliverEvents } from '../../server/tour/delivered-events.ts'
import { about, type Say } from '../../server/tour/layout.ts'
import type { TourService } from '../../server/tour/service.ts'
import { until } from '../../server/tour/until.ts'
import { withProgress } from '../../server/tour/with-progress.ts'
import { type AgentTour, openTour } from './open-tour.ts'
import { type OperationalWallet, readPositions, readWallets } from './operational-wallets.ts'
import { type RampOutcome, type RampRecord, summarizeRamp } from './ramp-summary.ts'

const BLOCKCHAIN = 'polygon'
const BUFFER = unitsOf('10000')
const DEPOSIT_USD = 50_000
const DAYS = 30
const BANK = {
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
  account_holder_name: 'Basalt Payments',
  bank_name: 'First Bank of the Tour',
}

interface RampTour extends AgentTour {
  readonly network: Network
  readonly events: DeliveredEvents
}

/**
 * Money in and out by bank: verification, a recipient, an on-ramp that delivers real tokens, a buffer that deploys
 * them, yield, and an off-ramp of the proceeds. Prints a line for each step and each webhook, and at the end where
 * every cent went. `keys` is the folder of the custody.
 */
export async function tourRamp(
  { credentials, folder }: Pick<TourService, 'credentials' | 'folder'>,
  say: Say,
  keys = folder,
): Promise<void> {
  const opened = await openTour({ credentials }, say, keys)
  const network = opened.networks.find(({ blockchain }) => blockchain === BLOCKCHAIN)!
  say('')
  const events = await deliverEvents(opened.people, say)
  try {
    const tour = { ...opened, network, events }
    const recipientId = await verifyCustomers(tour)
    const wallet = await createOperationalWallet(tour)
    const agent = await tour.custody.startAgent()
    try {
      const outcome = await moveMoney(tour, recipientId, wallet)
      summarizeRamp(outcome, await events.through('offramp_transaction.completed'), say)
    } finally {
      await agent.stop()
    }
  } finally {
    await events.stop()
  }
}

async function verifyCustomers({ client, say }: RampTour): Promise<number> {
  await client.post('/v1/ramp/org/kyb/start')
  await client.post('/v1/ramp/org/kyb/simulate-approve')
  say(about('verified', 'the organization is approved'))
  const address = { street1: '1 Main Street', city: 'Springfield', postal_code: '00000' }
  const recipient = await client.post<{ id: number }>('/v1/ramp/recipients', { name: 'Basalt Payments', address })
  await client.post(`/v1/ramp/recipients/${recipient.id}/kyb/simulate-approve`)
  say(about('verified', `recipient ${recipient.id}, Basalt Payments, is approved`))
  return recipient.id
}

interface Wallet {
  readonly walletId: number
  readonly opWalletId: number
  readonly address: string
}

async function createOperationalWallet({ people, custody, client, say }: RampTour): Promise<Wallet> {
  const address = await custody.newAddress(BLOCKCHAIN)
  const { id: walletId } = await people.post<{ id: number }>('/api/core/org-wallets', {
    address,
    blockchain: BLOCKCHAIN,
  })
  const monitoring = { orgWalletId: walletId, bufferAmount: exact(BUFFER).replaceAll(',', '') }
  const { id: opWalletId } = await people.post<{ id: number }>('/api/core/wallets/add-and-monitor', monitoring)
  await client.post('/v1/sandbox/faucet', {
    walletAddress: address,
    blockchain: BLOCKCHAIN,
    token: 'native',
    amount: '1000000000000000000',
  })
  say(about('wallet', `${address} on ${BLOCKCHAIN}, buffer ${brief(BUFFER)}`))
  return { walletId, opWalletId, address }
}

async function moveMoney(tour: RampTour, recipientId: number, wallet: Wallet): Promise<RampOutcome> {
  const { client, people, say } = tour
  const onramp = await moveIn(tour, recipientId, wallet)
  await withProgress(say, `${DAYS} days to pass on every chain`, () =>
    client.post('/v1/sandbox/advance-time', { seconds: DAYS * 86_400 }),
  )
  const grown = await readPositions(people, [wallet.opWalletId])
  for (const { value } of grown) say(about(`${DAYS} days`, `the position is worth ${exact(value)}`))
  const withdrawn = await withdrawAll(tour, wallet)
  return { days: DAYS, onramp, grown, withdrawn, offramp: await moveOut(tour, recipientId, wallet, withdrawn) }
}

/** By bank into tokens, and those above the buffer into a strategy. */
async function moveIn(tour: RampTour, recipientId: number, wallet: Wallet): Promise<RampRecord> {
  const { client, people, say } = tour
  const account = await client.post<{ id: number; account_number: string; routing_number: string }>(
    `/v1/ramp/recipients/${recipientId}/onramp-accounts`,
    { destination_wallet_id: wallet.walletId },
  )
  say(about('on-ramp', `account ${account.account_number}, routing number ${account.routing_number}`))
  await client.post(`/v1/ramp/recipients/${recipientId}/simulate-transaction`, {
    onramp_account_id: account.id,
    usd_amount: DEPOSIT_USD,
    step_delay_ms: 300,
  })
  const record = await completed(tour, 'onramp')
  const delivered = unitsOf(record.delivered_amount!)
  say(about('on-ramp', `${received(record)}, ${brief(delivered)} USDC delivered`))
  const { deployed } = await until(say, 'the deployment', async () => {
    const [found] = await readWallets(people, [wallet.opWalletId])
    const isDeployed = found?.available === BUFFER && found.deployed > delivered - BUFFER - unitsOf('1')
    return isDeployed ? found : undefined
  })
  say(about('deployed', `by the rebalancer: ${brief(deployed)}; ${brief(BUFFER)} stay liquid`))
  return record
}

/** Returns the tokens that are then in the wallet. */
async function withdrawAll({ people, say }: RampTour, { opWalletId }: Wallet): Promise<bigint> {
  for (const { id } of await readPositions(people, [opWalletId])) {
    await people.post(`/api/v1/allocations/${id}/withdraw`, { full: true })
  }
  const { available } = await until(say, 'the withdrawal', async () => {
    const [found] = await readWallets(people, [opWalletId])
    const isBack = (wallet: OperationalWallet) => wallet.deployed === 0n && wallet.available > BUFFER
    return found && isBack(found) ? found : undefined
  })
  say(about('withdrawn', `${exact(available)} USDC are liquid`))
  return available
}

/** From tokens to a bank account. */
async function moveOut(tour: RampTour, recipientId: number, wallet: Wallet, amount: bigint): Promise<RampRecord> {
  const { client, custody, network, say } = tour
  const account = await client.post<{ source_crypto_address: string }>(
    `/v1/ramp/recipients/${recipientId}/offramp-accounts`,
    { org_wallet_id: wallet.walletId, bank_details: BANK },
  )
  const token = network.tokens.find(({ symbol }) => symbol === 'USDC')!
  const hash = await custody.sendTokens(wallet.address, {
    rpcUrl: network.rpcUrl,
    chainId: network.chainId!,
    token: token.address,
    to: account.source_crypto_address,
    amount,
  })
  say(about('off-ramp', `all of it sent to ${account.source_crypto_address} (${hash.slice(0, 10)}…)`))
  const record = await completed(tour, 'offramp')
  say(about('off-ramp', `${received(record)}, the rest paid out to a bank`))
  return record
}

const received = ({ usd_amount, total_fee }: RampRecord): string =>
  `${brief(unitsOf(usd_amount))} USD received, fee ${brief(unitsOf(total_fee))}`

function completed({ client, say }: RampTour, type: string): Promise<RampRecord> {
  return until(say, `the ${type}`, async () => {
    const { data } = await client.get<{ data: RampRecord[] }>(`/v1/ramp/transactions?type=${type}`)
    if (data[0]?.status === 'failed') throw new Error(`the ${type} failed: ${JSON.stringify(data[0])}`)
    return data[0]?.status === 'completed' ? data[0] : undefined
  })
}
