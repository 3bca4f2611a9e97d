import type { SvmChain } from '../src/chains/index.ts'
import { type Database, inTransaction } from '../src/database/index.ts'
import { createOrganization } from '../src/identity/create-organization.ts'
import type { Sight } from '../src/identity/index.ts'
import { ManualClock, silentLog } from '../src/kernel/index.ts'
import {
  getOperation,
  type Operation,
  type Parts,
  planSupply,
  planUnwind,
  type Submitted,
  submitSigned,
} from '../src/operations/index.ts'
import { type Strategy, seedCatalogue, seedsOf, strategiesOnChain } from '../src/venues/index.ts'
import { registerWallet, type Wallet } from '../src/wallets/index.ts'
import { createFollower } from '../src/watch/index.ts'
import { testDatabase } from './index.ts'
import { type SolanaKey, sign, signatureOf, type TestSolana } from './solana.ts'

export const USDC = 1_000_000n

/** The service's part of the main job on Solana: real books, the real ledger, a follower without a timer. */
export interface SolanaJob {
  readonly parts: Parts
  readonly db: Database
  /** For a process of its own on the same books. */
  readonly databaseUrl: string
  /** The service's; the chain has its own. */
  readonly clock: ManualClock
  readonly solana: TestSolana
  readonly chain: SvmChain
  readonly strategy: Strategy
  /** A registered wallet whose key we hold, with SOL and USDC. */
  client(usdc?: bigint): Promise<SolanaClient>
  /** Follows the chain to its head, and settles it. */
  round(): Promise<void>
  /** Makes blocks, and follows. */
  settle(blocks?: number): Promise<void>
  close(): Promise<void>
}

/** An integrator with one wallet: plans through the service, signs with its own key. */
export interface SolanaClient {
  readonly key: SolanaKey
  readonly wallet: Wallet
  readonly sight: Sight
  supply(amount: bigint): Promise<Operation>
  unwind(amount: bigint | 'full'): Promise<Operation>
  sign(operation: Operation): Promise<string>
  submit(operation: Operation, signed?: string): Promise<Submitted>
  /** Signs and sends past the service, which is told nothing; the block is not made. */
  send(operation: Operation): Promise<string>
  /** Submits, makes a block, settles. */
  finish(operation: Operation): Promise<Operation>
  operation(named: { operationId: number }): Promise<Operation>
  usdc(): Promise<bigint>
}

export async function startSolanaJob(solana: TestSolana, chain: SvmChain = solana.chain): Promise<SolanaJob> {
  const { db, url: databaseUrl, close } = await testDatabase()
  const { devnet } = solana
  const clock = new ManualClock()
  const parts: Parts = { db, clock, log: silentLog, chains: new Map([['solana', chain]]) }
  await seedCatalogue(db, seedsOf(devnet.deployment))
  const [strategy] = await strategiesOnChain(db, 'solana')
  const follower = createFollower(parts, chain, { isDevelopment: true, say: () => {} })
  const signal = new AbortController().signal
  let organizations = 0

  async function organization(): Promise<number> {
    organizations += 1
    const owner = { email: `owner${organizations}@acme.example`, name: null, passwordHash: 'nobody logs in' }
    const name = `Acme ${organizations}`
    return (await inTransaction(db, (tx) => createOrganization(tx, { clock }, { name, owner }))).organization.id
  }

  const job: SolanaJob = {
    parts,
    db,
    databaseUrl,
    clock,
    solana,
    chain,
    strategy: strategy!,
    async client(usdc = 10_000n * USDC) {
      const key = await solana.wallet(strategy!.tokenAddress, usdc)
      const sight: Sight = { organizationId: await organization(), walletProfileId: null }
      const { wallet } = await registerWallet(parts, { sight, walletAddress: key.address, blockchain: 'solana' })
      return clientOf(job, key, sight, wallet)
    },
    round: () => follower.round(signal),
    async settle(blocks = 1) {
      await devnet.mine(blocks)
      await follower.round(signal)
    },
    close,
  }
  await job.round()
  return job
}

function clientOf(job: SolanaJob, key: SolanaKey, sight: Sight, wallet: Wallet): SolanaClient {
  const { parts, strategy, chain } = job
  const named = { sight, walletId: wallet.walletId, strategyId: strategy.id }
  const client: SolanaClient = {
    key,
    wallet,
    sight,
    supply: (amount) => planSupply(parts, { ...named, amount: amount.toString(), tokenAddress: strategy.tokenAddress }),
    unwind: (amount) =>
      planUnwind(parts, {
        ...named,
        ...(amount === 'full' ? { fullWithdrawal: true } : { amount: amount.toString() }),
      }),
    sign: ({ transactions }) => sign(key, transactions[0]!.unsignedBytes),
    async submit(operation, signed) {
      const signedTransaction = signed ?? (await client.sign(operation))
      return submitSigned(parts, { sight, operationId: operation.operationId, signedTransaction })
    },
    async send(operation) {
      const signed = await client.sign(operation)
      await chain.broadcast(signed)
      return signatureOf(signed)
    },
    async finish(operation) {
      await client.submit(operation)
      await job.settle()
      return client.operation(operation)
    },
    operation: ({ operationId }) => getOperation(parts, sight, operationId),
    async usdc() {
      const [balance] = await chain.balances([{ owner: key.address, token: strategy.tokenAddress }])
      return balance!
    },
  }
  return client
}
