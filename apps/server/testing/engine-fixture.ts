import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EvmChain as DevChain, type EvmBlockchain, startEvmChain } from '@weir/devnet'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  parseTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createEvmChain, type EvmChain, networkFromDeployment } from '../src/chains/index.ts'
import { type Database, inTransaction } from '../src/database/index.ts'
import type { Scope } from '../src/identity/index.ts'
import { createOrganization } from '../src/identity/organizations/create-organization.ts'
import { ManualClock, silentLog } from '../src/kernel/index.ts'
import {
  getOperation,
  type Operation,
  type OperationTransaction,
  type Parts,
  planSupply,
  planUnwind,
  type SubmissionResult,
  submitSigned,
} from '../src/operations/index.ts'
import { type Strategy, seedCatalogue, seedsFromDeployment, strategiesOnChain } from '../src/venues/index.ts'
import { registerWallet, type Wallet } from '../src/wallets/index.ts'
import { createFollower, type Follower } from '../src/watch/index.ts'
import { testDatabase } from './index.ts'

export const USDC = 1_000_000n

const erc20 = parseAbi([
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
])

/** One embedded chain for a test file: no heartbeat, so that a block comes only when somebody causes it. */
export interface TestChain extends DevChain {
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>
  /** Whether a transaction is mined at once, or waits until `mine` is called. */
  mineAtOnce(atOnce: boolean): Promise<void>
  /** Nothing is mined until `work` is over, unless `mine` is called. */
  withoutMining<T>(work: () => Promise<T>): Promise<T>
  /** Waits until the transaction is in a block: nodes answer a send before they mine. */
  included(hash: string): Promise<string>
  sendRaw(raw: string): Promise<string>
  /** Sends a contract call of the account, outside the service. */
  call(from: PrivateKeyAccount, to: string, data: Hex): Promise<string>
  fund(address: string, token: string, amount: bigint): Promise<string>
}

export async function startTestChain(blockchain: EvmBlockchain = 'polygon'): Promise<TestChain> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-main-job-'))
  const dev = await startEvmChain({ blockchain, dataDir, heartbeatSeconds: 0 })
  const treasury = privateKeyToAccount(dev.deployment.treasury.privateKey)

  async function rpc<T>(method: string, ...params: unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(dev.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  async function included(hash: string): Promise<string> {
    for (let looks = 0; looks < 2_000; looks += 1) {
      if ((await rpc('eth_getTransactionReceipt', hash)) !== null) return hash
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    throw new Error(`${hash} was not included`)
  }

  async function mineAtOnce(atOnce: boolean): Promise<void> {
    await rpc('evm_setAutomine', atOnce)
  }

  const sendRaw = (raw: string) => rpc<string>('eth_sendRawTransaction', raw)

  async function call(from: PrivateKeyAccount, to: string, data: Hex): Promise<string> {
    const nonce = Number(await rpc<string>('eth_getTransactionCount', from.address, 'pending'))
    return sendRaw(
      await from.signTransaction({
        type: 'eip1559',
        chainId: dev.chainId,
        nonce,
        gas: 1_000_000n,
        maxFeePerGas: 10n ** 12n,
        maxPriorityFeePerGas: 50n * 10n ** 9n,
        to: to as Address,
        data,
      }),
    )
  }

  return {
    ...dev,
    rpc,
    included,
    sendRaw,
    call,
    mineAtOnce,
    async withoutMining(work) {
      await mineAtOnce(false)
      try {
        return await work()
      } finally {
        await mineAtOnce(true)
      }
    },
    async fund(address, token, amount) {
      const data = encodeFunctionData({ abi: erc20, functionName: 'mint', args: [address as Address, amount] })
      return included(await call(treasury, token, data))
    },
    async stop() {
      await dev.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The service's part of the main job on a database of its own: real books, a real chain, a follower without a timer. */
export interface EngineFixture {
  readonly parts: Parts
  readonly db: Database
  /** For a process of its own on the same books. */
  readonly databaseUrl: string
  /** The service's; the chain has its own. */
  readonly clock: ManualClock
  readonly dev: TestChain
  readonly chain: EvmChain
  readonly follower: Follower
  /** Every HTTP request to the chain so far. */
  requests(): number
  strategy(key: string): Strategy
  /** A new organization with a default profile. */
  organization(): Promise<number>
  /** A registered wallet whose key we hold, with native coins and USDC. */
  client(options?: { organizationId?: number; usdc?: bigint; key?: Hex }): Promise<TestClient>
  /** The same books and clock on another chain of the same name. */
  onChain(dev: TestChain, print: (line: string) => void, isDevelopment?: boolean): Promise<EngineFixture>
  /** The same wallet, on the chain of this job. */
  registerAgain(client: TestClient): Promise<TestClient>
  /** Another organization that registered the same address, with the same key. */
  duplicateClient(client: TestClient): Promise<TestClient>
  /** Follows the chain to its head, and settles what is final. */
  followOnce(): Promise<void>
  /** Mines as many blocks as make everything sent so far final, and follows. */
  settle(): Promise<void>
  close(): Promise<void>
}

export async function startEngineFixture(
  dev: TestChain,
  options: { confirmations?: number } = {},
): Promise<EngineFixture> {
  const { db, url: databaseUrl, close } = await testDatabase()
  const following = { confirmations: options.confirmations ?? 1, isDevelopment: true, print: () => {} }
  return createEngineFixture(dev, { db, databaseUrl, close, clock: new ManualClock() }, following)
}

type FixtureDatabase = Pick<EngineFixture, 'db' | 'databaseUrl' | 'close' | 'clock'>
type FollowerOptions = { confirmations: number; isDevelopment: boolean; print: (line: string) => void }

async function createEngineFixture(
  dev: TestChain,
  books: FixtureDatabase,
  following: FollowerOptions,
): Promise<EngineFixture> {
  const { db, clock } = books
  const { confirmations } = following
  let requests = 0
  const network = { ...networkFromDeployment(dev.deployment), confirmations }
  const chain = createEvmChain({
    network,
    rpcUrls: [dev.url],
    log: silentLog,
    clock,
    onRequest: () => {
      requests += 1
    },
  })
  const parts: Parts = { db, clock, log: silentLog, chains: new Map([[network.blockchain, chain]]) }
  await seedCatalogue(db, seedsFromDeployment(dev.deployment))
  const strategies = await strategiesOnChain(db, network.blockchain)
  const follower = createFollower(parts, chain, following)
  const signal = new AbortController().signal
  const register = async (account: PrivateKeyAccount, organizationId: number): Promise<TestClient> => {
    const scope: Scope = { organizationId, walletProfileId: null }
    const { blockchain } = network
    const { wallet } = await registerWallet(parts, { scope, walletAddress: account.address, blockchain })
    return createTestClient(job, account, scope, wallet)
  }

  const job: EngineFixture = {
    ...books,
    parts,
    dev,
    chain,
    follower,
    requests: () => requests,
    strategy(key) {
      const found = strategies.find((strategy) => strategy.key === key)
      if (!found) throw new Error(`there is no strategy ${key}`)
      return found
    },
    async organization() {
      const owner = { email: `${randomUUID()}@acme.example`, name: null, passwordHash: 'nobody logs in' }
      const created = await inTransaction(db, (tx) => createOrganization(tx, { clock }, { name: 'Acme', owner }))
      return created.organization.id
    },
    async client({ organizationId, usdc = 10_000n * USDC, key = generatePrivateKey() } = {}) {
      const account = privateKeyToAccount(key)
      await dev.rpc('anvil_setBalance', account.address, NATIVE_FUNDING)
      const client = await register(account, organizationId ?? (await job.organization()))
      if (usdc > 0n) await client.receive(usdc)
      return client
    },
    duplicateClient: async ({ account }) => register(account, await job.organization()),
    async registerAgain({ account, scope }) {
      await dev.rpc('anvil_setBalance', account.address, NATIVE_FUNDING)
      return register(account, scope.organizationId)
    },
    onChain: (other, print, isDevelopment = true) =>
      createEngineFixture(other, books, { confirmations, isDevelopment, print }),
    followOnce: () => follower.round(signal),
    async settle() {
      await dev.mine(confirmations)
      await follower.round(signal)
    },
  }
  await job.followOnce()
  return job
}

/** A hundred native coins: enough for every fee of a test. */
const NATIVE_FUNDING = numberToHex(10n ** 20n)

export interface SignOptions {
  /** Percent of the planned fees; 110 is the least that replaces a pending transaction. */
  readonly feePercent?: bigint
  readonly change?: Partial<TransactionSerializableEIP1559>
}

/** An integrator with one wallet: plans through the service, signs with its own key. */
export interface TestClient {
  readonly account: PrivateKeyAccount
  readonly address: Address
  readonly wallet: Wallet
  readonly scope: Scope
  readonly usdcAddress: string
  supply(amount: bigint, strategyKey?: string): Promise<Operation>
  unwind(amount: bigint | 'full', strategyKey?: string): Promise<Operation>
  sign(transaction: OperationTransaction, options?: SignOptions): Promise<Hex>
  submit(operation: { operationId: number }, signedTransaction: string): Promise<SubmissionResult>
  /** Signs and submits every transaction that waits, in order. Returns the hash of the last. */
  submitAll(operation: Operation): Promise<string>
  /** Plans, submits and settles; returns the operation as it then stands. */
  complete(operation: Operation): Promise<Operation>
  operation(named: { operationId: number }): Promise<Operation>
  /** Signs and sends past the service, which is told nothing. */
  send(transaction: OperationTransaction, options?: SignOptions): Promise<string>
  /** USDC arrive from outside, or leave. */
  receive(amount: bigint): Promise<string>
  spend(amount: bigint, to?: string): Promise<string>
  /** Uses the next nonce for something that nobody planned. */
  useNonce(): Promise<string>
  usdc(): Promise<bigint>
}

const DEFAULT_STRATEGY = 'aave-v3:polygon:USDC'

function createTestClient(job: EngineFixture, account: PrivateKeyAccount, scope: Scope, wallet: Wallet): TestClient {
  const { dev, parts } = job
  const usdcAddress = job.strategy(DEFAULT_STRATEGY).tokenAddress
  const named = (strategyKey: string) => ({
    scope,
    walletId: wallet.walletId,
    strategyId: job.strategy(strategyKey).id,
  })
  const client: TestClient = {
    account,
    address: account.address,
    wallet,
    scope,
    usdcAddress,
    supply(amount, strategyKey = DEFAULT_STRATEGY) {
      const tokenAddress = job.strategy(strategyKey).tokenAddress
      return planSupply(parts, { ...named(strategyKey), amount: amount.toString(), tokenAddress })
    },
    unwind(amount, strategyKey = DEFAULT_STRATEGY) {
      const what = amount === 'full' ? { fullWithdrawal: true } : { amount: amount.toString() }
      return planUnwind(parts, { ...named(strategyKey), ...what })
    },
    sign(transaction, { feePercent = 100n, change = {} } = {}) {
      const planned = parseTransaction(transaction.unsignedBytes as Hex) as TransactionSerializableEIP1559
      return account.signTransaction({
        ...planned,
        maxFeePerGas: ((planned.maxFeePerGas ?? 0n) * feePercent + 99n) / 100n,
        maxPriorityFeePerGas: ((planned.maxPriorityFeePerGas ?? 0n) * feePercent + 99n) / 100n,
        ...change,
      })
    },
    submit: ({ operationId }, signedTransaction) => submitSigned(parts, { scope, operationId, signedTransaction }),
    async submitAll(operation) {
      let last = ''
      for (const transaction of operation.transactions) {
        if (transaction.submittedAt !== null) continue
        last = (await client.submit(operation, await client.sign(transaction))).txHash
      }
      return last
    },
    async complete(operation) {
      await dev.included(await client.submitAll(operation))
      await job.settle()
      return client.operation(operation)
    },
    operation: ({ operationId }) => getOperation(parts, scope, operationId),
    async send(transaction, options) {
      const raw = await client.sign(transaction, options)
      await dev.sendRaw(raw)
      return keccak256(raw)
    },
    receive: (amount) => dev.fund(account.address, usdcAddress, amount),
    spend: (amount, to = dev.deployment.lender) =>
      dev.call(
        account,
        usdcAddress,
        encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to as Address, amount] }),
      ),
    useNonce: () => dev.call(account, account.address, '0x'),
    async usdc() {
      const [balance] = await job.chain.balances([{ owner: account.address, token: usdcAddress }])
      return balance!
    },
  }
  return client
}
