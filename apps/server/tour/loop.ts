import { type Account, createAccount } from './account.ts'
import { brief, exact, sum } from './amounts.ts'
import { apyOfGrowth } from './apy-of-growth.ts'
import { type Client, createClient, type Network, type Operation } from './client.ts'
import { about, columns, heading, percent, type Say } from './layout.ts'
import { createOwnKeys } from './own-keys.ts'
import type { TourService } from './service.ts'
import { type ListedStrategy, listStrategies } from './strategies.ts'
import { tokensOnChain } from './tokens-on-chain.ts'
import { withProgress } from './with-progress.ts'

const AMOUNT = 10_000_000_000n
const DAYS = 30
/** On polygon the money goes into a vault that lends it on; elsewhere into Aave V3 or the first that there is. */
const LENDING_VAULT = 'Lending USDC (markets)'

interface Stop {
  readonly client: Client
  readonly network: Network
  readonly account: Account
  readonly walletId: number
  readonly strategy: ListedStrategy
  readonly tell: Say
}

/**
 * The whole loop on each network: fund, supply, let 30 days pass, withdraw everything. Prints a line for each step, and
 * at the end what each strategy paid, compared with its rate and with the chain.
 */
export async function tourLoop({ credentials }: Pick<TourService, 'credentials'>, say: Say): Promise<void> {
  const keys = await createOwnKeys(credentials)
  try {
    await loop(
      keys.values.map((key) => createClient(credentials.baseUrl, key, say)),
      say,
    )
  } finally {
    await keys.remove()
  }
}

async function loop(clients: readonly Client[], say: Say): Promise<void> {
  const [client] = clients as [Client]
  const networks = await client.get<Network[]>('/v1/sandbox/networks')
  const stops: Stop[] = []
  for (const [at, network] of networks.entries()) stops.push(await deploy(clients[at % clients.length]!, network, say))

  const { now } = await withProgress(say, `${DAYS} days to pass on every chain`, () =>
    client.post<{ now: string }>('/v1/sandbox/advance-time', { seconds: DAYS * 86_400 }),
  )
  say('')
  say(about('all chains', `${DAYS} days later: it is ${now.slice(0, 10)} by the chains' clock`))

  const returned: bigint[] = []
  for (const stop of stops) returned.push(await collect(stop, say))
  summarize(stops, returned, say)
}

async function deploy(client: Client, network: Network, say: Say): Promise<Stop> {
  const { blockchain } = network
  const tell = (line: string) => say(about(blockchain, line))
  const account = await createAccount(blockchain)
  const walletAddress = account.address
  say('')
  const { walletId } = await client.post<{ walletId: number }>('/v1/wallets/register', { walletAddress, blockchain })
  tell(`wallet ${walletId} is ${walletAddress}`)

  const funding = { walletAddress, blockchain, token: 'USDC', amount: AMOUNT.toString() }
  const { txHash } = await client.post<{ txHash: string }>('/v1/sandbox/faucet', funding)
  tell(`the faucet sent ${brief(AMOUNT)} USDC and gas (${short(txHash)})`)

  const strategies = await listStrategies(client, blockchain)
  const strategy =
    strategies.find(({ name }) => name === LENDING_VAULT) ??
    strategies.find(({ protocol }) => protocol === 'aave-v3') ??
    strategies[0]!
  tell(`${strategy.name} pays ${percent(strategy.apy)} a year`)
  if (strategy.name === LENDING_VAULT) tell('it lends everything on, and pays back what its borrowers leave')

  const stop = { client, network, account, walletId, strategy, tell }
  const { strategyId, tokenAddress } = strategy
  const plan = { walletId, strategyId, amount: AMOUNT.toString(), tokenAddress }
  await carryOut(stop, await client.post<Operation>('/v1/operations/supply', plan))
  return stop
}

/** Withdraws everything and returns what the wallet then has. */
async function collect(stop: Stop, say: Say): Promise<bigint> {
  const { client, network, account, walletId, strategy, tell } = stop
  const { strategyId } = strategy
  say('')
  const { currentValue } = await client.get<{ currentValue: string }>(
    `/v1/allocations/strategy/${strategyId}?walletId=${walletId}`,
  )
  tell(`the position is worth ${exact(BigInt(currentValue))} USDC`)

  await carryOut(
    stop,
    await client.post<Operation>('/v1/operations/unwind', { walletId, strategyId, fullWithdrawal: true }),
  )
  const { balances } = await client.get<{ balances: { token: string; available: string; deployed: string }[] }>(
    `/v1/wallets/${walletId}`,
  )
  const { available, deployed } = balances.find(({ token }) => token === 'USDC')!
  const onChain = await tokensOnChain(network, account.address)
  if (onChain !== BigInt(available) || deployed !== '0') {
    throw new Error(`${network.blockchain}: the chain has ${onChain}, Weir shows ${available} and ${deployed} deployed`)
  }
  tell(`back in the wallet: ${exact(onChain)} USDC`)
  return onChain
}

function summarize(stops: readonly Stop[], returned: readonly bigint[], say: Say): void {
  const yields = returned.map((amount) => amount - AMOUNT)
  const rows = stops.map(({ network, strategy }, at) => [
    network.blockchain,
    strategy.name,
    percent(strategy.apy),
    exact(returned[at]!),
    exact(yields[at]!),
    apyOfGrowth(AMOUNT, returned[at]!, DAYS),
  ])
  const head = ['', 'strategy', 'APY quoted', 'came back', 'yield', 'APY paid']
  const total = ['all chains', '', '', exact(sum(returned)), exact(sum(yields)), '']
  say(heading('Summary', `${brief(AMOUNT)} USDC on each chain, for ${DAYS} days`))
  for (const line of columns([head, ...rows, total], 2)) say(line)

  const [first] = stops
  const [back] = returned
  say(heading('Check', `by hand, for ${first!.network.blockchain}; 1 USDC is 1000000 units`))
  say(about('yield', `${back} - ${AMOUNT} = ${back! - AMOUNT}`))
  say(about('APY paid', `(${back} / ${AMOUNT}) ^ (365 / ${DAYS}) - 1 = ${apyOfGrowth(AMOUNT, back!, DAYS)}`))
  say(about('APY quoted', 'before the deposit, which lowers a lending rate a little; compounded every second'))
  say(about('on chain', `each token's own contract has the same balance as Weir: ${stops.length} of ${stops.length}`))
  say(heading('Next', 'npm run tour:treasury: two vaults that lend everything on refill a buffer together'))
}

/** Signs and submits an operation's transactions in order, and waits until it is confirmed. */
async function carryOut({ client, account, tell }: Stop, operation: Operation): Promise<void> {
  const { operationId } = operation
  for (const transaction of operation.transactions) {
    const signedTransaction = await account.sign(transaction.unsignedTransaction!)
    const submitted = await client.post<{ txHash: string }>('/v1/transactions/submit-signed', {
      operationId,
      signedTransaction,
    })
    tell(`${transaction.description}: signed and sent (${short(submitted.txHash)})`)
  }
  await withProgress(tell, `operation ${operationId} to be confirmed`, () => confirmed(client, operationId))
  tell(`operation ${operationId} is confirmed`)
}

async function confirmed(client: Client, operationId: number): Promise<void> {
  for (;;) {
    const operation = await client.get<Operation>(`/v1/operations/${operationId}`)
    if (operation.status === 'CONFIRMED') return
    if (operation.status === 'FAILED') throw new Error(`operation ${operationId} failed: ${JSON.stringify(operation)}`)
    await new Promise((resolve) => setTimeout(resolve, 700))
  }
}

const short = (hash: string): string => `${hash.slice(0, 10)}…`
