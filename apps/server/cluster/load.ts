import { setTimeout as pause } from 'node:timers/promises'
import { type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createHonestClient, Ended, type HonestClient } from './honest-client.ts'
import type { Journal } from './journal.ts'

/** The callers of a run. */
export interface Load {
  /** Begins nothing new, and waits until everything that was begun is done. */
  drain(): Promise<void>
  resume(): void
  readonly repetitions: () => number
  end(): Promise<void>
}

interface LoadOptions {
  readonly urls: readonly string[]
  readonly apiKey: string
  readonly chains: readonly string[]
  /** Callers that supply and withdraw, for each chain. */
  readonly settlersPerChain: number
  readonly journal: Journal
}

interface Strategy {
  readonly strategyId: number
  readonly key?: string
  readonly name: string
  readonly tokenAddress: string
}

interface Operation {
  readonly operationId: number
  readonly status: string
  readonly transactions: readonly { readonly unsignedTransaction: Hex }[]
}

const PAUSE_MS = 300
const POLL_MS = 150
const FUNDS = 1_000_000_000_000n
const SUPPLY = 2_000_000n
const UNWIND = 1_000_000n

/** Starts callers at all processes at once: wallets, gifts of the faucet, supplies and withdrawals. */
export async function startLoad({ urls, apiKey, chains, settlersPerChain, journal }: LoadOptions): Promise<Load> {
  const clients: HonestClient[] = []
  /** A caller of its own; half of them begin with each process. */
  const newClient = () => {
    const at = clients.length % urls.length
    const client = createHonestClient([...urls.slice(at), ...urls.slice(0, at)], { 'x-api-key': apiKey })
    clients.push(client)
    return client
  }
  let open = Promise.withResolvers<void>()
  open.resolve()
  let busy = 0
  let ended = false

  /** Repeats a cycle until the end; between cycles it stops while the load is drained. */
  async function run(cycle: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !ended; round += 1) {
      await open.promise
      if (ended) return
      busy += 1
      try {
        await cycle(round)
      } catch (error) {
        if (error instanceof Ended) return
        journal.problems.push(error instanceof Error ? error.message : String(error))
      } finally {
        busy -= 1
      }
      await pause(PAUSE_MS)
    }
  }

  const settlers = await Promise.all(
    chains.flatMap((chain) =>
      Array.from({ length: settlersPerChain }, async () => createSettler(newClient(), journal, chain)),
    ),
  )
  const giver = newClient()
  const tills = await Promise.all(chains.map((chain) => register(giver, journal, chain)))
  const running = [
    ...settlers.map((settle) => run(settle)),
    ...urls.map(() => {
      const registrar = newClient()
      return run(async (round) => {
        await register(registrar, journal, chains[round % chains.length]!)
      })
    }),
    run(async (round) => {
      const index = round % chains.length
      await give(giver, journal, { ...tills[index]!, chain: chains[index]!, amount: 1_000_000n })
    }),
  ]
  return {
    async drain() {
      open = Promise.withResolvers<void>()
      while (busy > 0) await pause(50)
    },
    resume: () => open.resolve(),
    repetitions: () => clients.reduce((sum, client) => sum + client.repetitions(), 0),
    async end() {
      ended = true
      open.resolve()
      for (const client of clients) client.end()
      await Promise.all(running)
    },
  }
}

interface RegisteredWallet {
  readonly walletId: number
  readonly address: string
}

async function register(
  client: HonestClient,
  journal: Journal,
  blockchain: string,
  walletAddress = privateKeyToAccount(generatePrivateKey()).address,
): Promise<RegisteredWallet> {
  const { status, body } = await client.post<{ walletId: number }>('/v1/wallets/register', {
    walletAddress,
    blockchain,
  })
  if (status !== 200 && status !== 201) throw new Error(`registering a wallet: ${status} ${JSON.stringify(body)}`)
  journal.writes.add()
  journal.wallets.set(body.walletId, walletAddress)
  return { walletId: body.walletId, address: walletAddress }
}

async function give(
  client: HonestClient,
  journal: Journal,
  { walletId, address, chain, amount }: RegisteredWallet & { chain: string; amount: bigint },
): Promise<void> {
  const gift = { walletAddress: address, blockchain: chain, token: 'USDC', amount: amount.toString() }
  const { status, body } = await client.post<{ txHash: string }>('/v1/sandbox/faucet', gift)
  if (status !== 200) throw new Error(`a gift of the faucet: ${status} ${JSON.stringify(body)}`)
  journal.writes.add()
  journal.gifts.set(body.txHash, { walletId, amount })
}

/** A caller with a wallet that supplies, withdraws, and so on; one cycle is one operation. */
async function createSettler(client: HonestClient, journal: Journal, chain: string) {
  const account = privateKeyToAccount(generatePrivateKey())
  const wallet = await register(client, journal, chain, account.address)
  await give(client, journal, { ...wallet, chain, amount: FUNDS })
  const { body } = await client.get<{ venues: { name: string; strategies: Strategy[] }[] }>(
    `/v1/venues?blockchain=${chain}`,
  )
  const strategy = body.venues.flatMap(({ strategies }) => strategies).find(({ name }) => name === 'Yield Vault USDC')
  if (!strategy) throw new Error(`no strategy: ${JSON.stringify(body).slice(0, 1_000)}`)

  return async (round: number): Promise<void> => {
    const type = round % 2 === 0 ? 'SUPPLY' : 'UNWIND'
    const amount = type === 'SUPPLY' ? SUPPLY : UNWIND
    const { strategyId, tokenAddress } = strategy
    const plan = { walletAddress: wallet.address, strategyId, amount: amount.toString() }
    const planned = await client.post<Operation>(
      `/v1/operations/${type.toLowerCase()}`,
      type === 'SUPPLY' ? { ...plan, tokenAddress } : plan,
    )
    if (planned.status !== 201) throw new Error(`${type}: ${planned.status} ${JSON.stringify(planned.body)}`)
    journal.writes.add()
    const { operationId, transactions } = planned.body
    journal.operations.set(operationId, { walletId: wallet.walletId, type, amount })
    for (const { unsignedTransaction } of transactions) {
      const signedTransaction = await account.signTransaction(parseTransaction(unsignedTransaction) as never)
      const sent = await client.post<{ txHash: string }>('/v1/transactions/submit-signed', {
        operationId,
        signedTransaction,
      })
      if (sent.status !== 202)
        throw new Error(`submitting for ${operationId}: ${sent.status} ${JSON.stringify(sent.body)}`)
      journal.writes.add()
      journal.submitted.set(sent.body.txHash, operationId)
    }
    for (;;) {
      const { body: now } = await client.get<Operation>(`/v1/operations/${operationId}`)
      if (now.status === 'CONFIRMED') break
      if (now.status === 'FAILED') throw new Error(`operation ${operationId} failed: ${JSON.stringify(now)}`)
      await pause(POLL_MS)
    }
    journal.confirmed.add(operationId)
    journal.settlements.get(chain)!.add()
  }
}
