import { randomUUID } from 'node:crypto'
import { type Hex, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createEvmChain, type EvmChain, networkFromDeployment } from '../../src/chains/index.ts'
import { type Database, inTransaction } from '../../src/database/index.ts'
import type { Scope } from '../../src/identity/index.ts'
import { createOrganization } from '../../src/identity/organizations/create-organization.ts'
import { ManualClock, silentLog } from '../../src/kernel/index.ts'
import type { ApprovalParts } from '../../src/operations/index.ts'
import { type Strategy, seedCatalogue, seedsFromDeployment, strategiesOnChain } from '../../src/venues/index.ts'
import { registerWallet } from '../../src/wallets/index.ts'
import { createFollower, type Follower } from '../../src/watch/index.ts'
import type { TestChain } from '../chains/test-chain.ts'
import { FACTOR_SETTINGS } from '../identity/factor-settings.ts'
import { testDatabase } from '../index.ts'
import { USDC } from '../units.ts'
import { createTestClient, type TestClient } from './test-client.ts'

/** The engine on a separate database, with a real ledger, a real chain, and a follower without a timer. */
export interface EngineFixture {
  readonly parts: ApprovalParts
  readonly db: Database
  /** For a separate process on the same database. */
  readonly databaseUrl: string
  /** The service's clock; the chain has its own. */
  readonly clock: ManualClock
  readonly dev: TestChain
  readonly chain: EvmChain
  readonly follower: Follower
  /** The number of HTTP requests to the chain so far. */
  requests(): number
  strategy(key: string): Strategy
  /** A new organization with a default profile. */
  organization(): Promise<number>
  /** A registered wallet with native coins and USDC, whose key the test holds. */
  client(options?: { organizationId?: number; usdc?: bigint; key?: Hex }): Promise<TestClient>
  /** An engine with the same database and clock on another chain of the same name. */
  onChain(dev: TestChain, print: (line: string) => void, isDevelopment?: boolean): Promise<EngineFixture>
  /** The same wallet on this engine's chain. */
  registerAgain(client: TestClient): Promise<TestClient>
  /** Another organization that registers the same address, with the same key. */
  duplicateClient(client: TestClient): Promise<TestClient>
  /** Follows the chain to its head and settles what is final. */
  followOnce(): Promise<void>
  /** Mines until everything sent so far is final, then follows. */
  settle(): Promise<void>
  /** The final block of the chain's cursor. */
  settledBlock(): Promise<number>
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
  database: FixtureDatabase,
  following: FollowerOptions,
): Promise<EngineFixture> {
  const { db, clock } = database
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
  const parts: ApprovalParts = {
    db,
    clock,
    log: silentLog,
    chains: new Map([[network.blockchain, chain]]),
    environment: 'sandbox',
    factors: FACTOR_SETTINGS,
  }
  await seedCatalogue(db, seedsFromDeployment(dev.deployment))
  const strategies = await strategiesOnChain(db, network.blockchain)
  const follower = createFollower(parts, chain, following)
  const signal = new AbortController().signal
  const register = async (account: PrivateKeyAccount, organizationId: number): Promise<TestClient> => {
    const scope: Scope = { organizationId, walletProfileId: null }
    const { blockchain } = network
    const { wallet } = await registerWallet(parts, { scope, walletAddress: account.address, blockchain })
    return createTestClient(engine, account, scope, wallet)
  }

  const engine: EngineFixture = {
    ...database,
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
      const client = await register(account, organizationId ?? (await engine.organization()))
      if (usdc > 0n) await client.receive(usdc)
      return client
    },
    duplicateClient: async ({ account }) => register(account, await engine.organization()),
    async registerAgain({ account, scope }) {
      await dev.rpc('anvil_setBalance', account.address, NATIVE_FUNDING)
      return register(account, scope.organizationId)
    },
    onChain: (other, print, isDevelopment = true) =>
      createEngineFixture(other, database, { confirmations, isDevelopment, print }),
    followOnce: () => follower.round(signal),
    async settle() {
      await dev.mine(confirmations)
      await follower.round(signal)
    },
    async settledBlock() {
      const cursors = db.selectFrom('chain_cursors').select('final_number').where('blockchain', '=', 'polygon')
      return (await cursors.executeTakeFirstOrThrow()).final_number
    },
  }
  await engine.followOnce()
  return engine
}

/** A hundred native coins: enough for every fee of a test. */
const NATIVE_FUNDING = numberToHex(10n ** 20n)
