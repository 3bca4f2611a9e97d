import type { SvmChain } from '../../src/chains/index.ts'
import { type Database, inTransaction } from '../../src/database/index.ts'
import type { Scope } from '../../src/identity/index.ts'
import { createOrganization } from '../../src/identity/organizations/create-organization.ts'
import { ManualClock, silentLog } from '../../src/kernel/index.ts'
import {
  getOperation,
  type Operation,
  type Parts,
  planSupply,
  planUnwind,
  type SubmissionResult,
  submitSigned,
} from '../../src/operations/index.ts'
import { type Strategy, seedCatalogue, seedsFromDeployment, strategiesOnChain } from '../../src/venues/index.ts'
import { registerWallet, type Wallet } from '../../src/wallets/index.ts'
import { createFollower } from '../../src/watch/index.ts'
import { type SolanaKey, sign, signatureOf, type TestSolana } from '../chains/test-solana.ts'
import { testDatabase } from '../index.ts'
import { USDC } from '../units.ts'
import { anyState } from './any-state.ts'
import { BY_KEY } from './requesters.ts'

/** The engine on Solana, with a real ledger, a real embedded chain, and a follower without a timer. */
export interface SolanaFixture {
  readonly parts: Parts
  readonly db: Database
  /** For a separate process on the same database. */
  readonly databaseUrl: string
  /** The service's clock; the chain has its own. */
  readonly clock: ManualClock
  readonly solana: TestSolana
  readonly chain: SvmChain
  readonly strategy: Strategy
  /** A registered wallet with SOL and USDC, whose key the test holds. */
  client(usdc?: bigint): Promise<SolanaClient>
  /** Follows the chain to its head and settles. */
  followOnce(): Promise<void>
  /** Makes blocks, then follows. */
  settle(blocks?: number): Promise<void>
  close(): Promise<void>
}

/** An integrator with one wallet: plans through the service, signs with its own key. */
export interface SolanaClient {
  readonly key: SolanaKey
  readonly wallet: Wallet
  readonly scope: Scope
  supply(amount: bigint): Promise<Operation>
  unwind(amount: bigint | 'full'): Promise<Operation>
  sign(operation: Operation): Promise<string>
  submit(operation: Operation, signed?: string): Promise<SubmissionResult>
  /** Signs and sends without telling the service; makes no block. */
  send(operation: Operation): Promise<string>
  /** Submits, makes a block and settles. */
  complete(operation: Operation): Promise<Operation>
  operation(named: { operationId: number }): Promise<Operation>
  usdc(): Promise<bigint>
}

export async function startSolanaFixture(solana: TestSolana, chain: SvmChain = solana.chain): Promise<SolanaFixture> {
  const { db, url: databaseUrl, close } = await testDatabase()
  const { devnet } = solana
  const clock = new ManualClock()
  const parts: Parts = { db, clock, log: silentLog, chains: new Map([['solana', chain]]) }
  await seedCatalogue(db, seedsFromDeployment(devnet.deployment))
  const [strategy] = await strategiesOnChain(db, 'solana')
  const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
  const signal = new AbortController().signal
  let organizations = 0

  async function organization(): Promise<number> {
    organizations += 1
    const owner = { email: `owner${organizations}@acme.example`, name: null, passwordHash: 'nobody logs in' }
    const name = `Acme ${organizations}`
    return (await inTransaction(db, (tx) => createOrganization(tx, { clock }, { name, owner }))).organization.id
  }

  const engine: SolanaFixture = {
    parts,
    db,
    databaseUrl,
    clock,
    solana,
    chain,
    strategy: strategy!,
    async client(usdc = 10_000n * USDC) {
      const key = await solana.wallet(strategy!.tokenAddress, usdc)
      const scope: Scope = { organizationId: await organization(), walletProfileId: null }
      const { wallet } = await registerWallet(parts, { scope, walletAddress: key.address, blockchain: 'solana' })
      return clientOf(engine, key, scope, wallet)
    },
    followOnce: () => follower.round(signal),
    async settle(blocks = 1) {
      await devnet.mine(blocks)
      await follower.round(signal)
    },
    close,
  }
  await engine.followOnce()
  return engine
}

function clientOf(engine: SolanaFixture, key: SolanaKey, scope: Scope, wallet: Wallet): SolanaClient {
  const { parts, strategy, chain } = engine
  const named = { scope, walletId: wallet.walletId, strategyId: strategy.id, requestedBy: BY_KEY }
  const client: SolanaClient = {
    key,
    wallet,
    scope,
    supply: (amount) => planSupply(parts, { ...named, amount, tokenAddress: strategy.tokenAddress }),
    unwind: (amount) => planUnwind(parts, { ...named, amount }),
    sign: ({ transactions }) => sign(key, anyState(transactions[0]!).unsignedBytes),
    async submit(operation, signed) {
      const signedTransaction = signed ?? (await client.sign(operation))
      return submitSigned(parts, { scope, operationId: operation.operationId, signedTransaction })
    },
    async send(operation) {
      const signed = await client.sign(operation)
      await chain.broadcast(signed)
      return signatureOf(signed)
    },
    async complete(operation) {
      await client.submit(operation)
      await engine.settle()
      return client.operation(operation)
    },
    operation: ({ operationId }) => getOperation(parts, scope, operationId),
    async usdc() {
      const [balance] = await chain.balances([{ owner: key.address, token: strategy.tokenAddress }])
      return balance!
    },
  }
  return client
}
