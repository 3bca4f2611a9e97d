import { type Account, createAccount } from './account.ts'
import type { Allocations, Client, Network, Operation, Strategy, Venue } from './client.ts'
import { withProgress } from './with-progress.ts'

const AMOUNT = 10_000_000_000n
const DAYS = 30

interface NetworkTour {
  readonly network: Network
  readonly account: Account
  readonly strategy: Strategy
  readonly venue: Venue
}

/**
 * The whole loop on each network: fund, supply, advance 30 days, withdraw everything. Prints a line for each step and,
 * at the end, the yield of each chain.
 */
export async function runLoop(
  client: Client,
  networks: readonly Network[],
  say: (line: string) => void,
): Promise<void> {
  const stops: NetworkTour[] = []
  for (const network of networks) stops.push(await deploy(client, network, say))

  const { now } = await withProgress(say, `${DAYS} days to pass on every chain`, () =>
    client.post<{ now: string }>('/v1/sandbox/advance-time', { seconds: DAYS * 86_400 }),
  )
  say(`all chains   ${DAYS} days later (${now.slice(0, 10)} by the chains' clock)`)

  for (const stop of stops) await collect(client, stop, say)
}

async function deploy(client: Client, network: Network, say: (line: string) => void): Promise<NetworkTour> {
  const tell = (line: string) => say(`${network.blockchain.padEnd(12)} ${line}`)
  const { blockchain } = network
  const account = await createAccount(blockchain)
  const walletAddress = account.address
  const { walletId } = await client.post<{ walletId: number }>('/v1/wallets/register', { walletAddress, blockchain })
  tell(`wallet ${walletId} registered: ${walletAddress}`)

  const funding = { walletAddress, blockchain, token: 'USDC', amount: AMOUNT.toString() }
  const { txHash } = await client.post<{ txHash: string }>('/v1/sandbox/faucet', funding)
  tell(`${usdc(AMOUNT)} USDC and gas from the faucet, transaction ${short(txHash)}`)

  const { venues } = await client.get<{ venues: Venue[] }>(`/v1/venues?blockchain=${blockchain}&token=USDC`)
  const venue = venues.find(({ protocol }) => protocol === 'aave-v3') ?? venues[0]!
  const strategy = venue.strategies[0]!
  tell(`${venue.name} pays ${(strategy.apy * 100).toFixed(2)} % on ${strategy.token}`)

  const plan = {
    walletAddress,
    strategyId: strategy.strategyId,
    amount: AMOUNT.toString(),
    tokenAddress: strategy.tokenAddress,
  }
  await carryOut(client, account, await client.post<Operation>('/v1/operations/supply', plan), tell)
  return { network, account, strategy, venue }
}

async function collect(
  client: Client,
  { network, account, strategy }: NetworkTour,
  say: (line: string) => void,
): Promise<void> {
  const tell = (line: string) => say(`${network.blockchain.padEnd(12)} ${line}`)
  const walletAddress = account.address
  const { totalValue, totalYieldEarned } = await client.post<Allocations>('/v1/allocations', { walletAddress })
  tell(`the position is worth ${usdc(BigInt(totalValue))} USDC: ${usdc(BigInt(totalYieldEarned))} USDC of yield`)

  const plan = { walletAddress, strategyId: strategy.strategyId, fullWithdrawal: true }
  await carryOut(client, account, await client.post<Operation>('/v1/operations/unwind', plan), tell)

  const { wallets } = await client.get<{ wallets: { walletId: number; walletAddress: string }[] }>(
    `/v1/wallets?blockchain=${network.blockchain}`,
  )
  const { walletId } = wallets.find((wallet) => wallet.walletAddress === walletAddress)!
  const { balances } = await client.get<{ balances: { token: string; available: string; deployed: string }[] }>(
    `/v1/wallets/${walletId}`,
  )
  const { available, deployed } = balances.find(({ token }) => token === 'USDC')!
  tell(`back in the wallet: ${usdc(BigInt(available))} USDC, still deployed: ${usdc(BigInt(deployed))}`)
  tell(`yield earned: ${usdc(BigInt(available) - AMOUNT)} USDC`)
}

/** Signs and submits an operation's transactions in order, and waits until it is confirmed. */
async function carryOut(
  client: Client,
  account: Account,
  operation: Operation,
  tell: (line: string) => void,
): Promise<void> {
  const { operationId } = operation
  for (const transaction of operation.transactions) {
    const signedTransaction = await account.sign(transaction.unsignedTransaction!)
    const submitted = await client.post<{ txHash: string }>('/v1/transactions/submit-signed', {
      operationId,
      signedTransaction,
    })
    tell(`${transaction.description}: signed and sent as ${short(submitted.txHash)}`)
  }
  await withProgress(tell, `operation ${operationId} (${operation.type}) to be confirmed`, () =>
    confirmed(client, operationId),
  )
  tell(`operation ${operationId} (${operation.type}) is confirmed`)
}

async function confirmed(client: Client, operationId: number): Promise<void> {
  for (;;) {
    const operation = await client.get<Operation>(`/v1/operations/${operationId}`)
    if (operation.status === 'CONFIRMED') return
    if (operation.status === 'FAILED') throw new Error(`operation ${operationId} failed: ${JSON.stringify(operation)}`)
    await new Promise((resolve) => setTimeout(resolve, 700))
  }
}

/** Formats base units of USDC for display. */
function usdc(amount: bigint): string {
  const digits = amount.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

const short = (hash: string): string => `${hash.slice(0, 10)}…`
