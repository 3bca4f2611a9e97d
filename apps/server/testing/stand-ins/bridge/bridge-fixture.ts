import { createEvmChain, LIVE_EVM_NETWORKS } from '../../../src/chains/index.ts'
import { inTransaction } from '../../../src/database/index.ts'
import type { Scope } from '../../../src/identity/index.ts'
import { createOrganization } from '../../../src/identity/organizations/create-organization.ts'
import { type Clock, createSealer, ManualClock, silentLog, systemRandomSource } from '../../../src/kernel/index.ts'
import {
  applyProviderMessage,
  createBridgeProvider,
  createFieldSealer,
  getTransaction,
  listTransactions,
  type OpenAccountInput,
  openOfframpAccount,
  openOnrampAccount,
  type RampAccount,
  type RampParts,
  type RampTransaction,
  runProviderWork,
  startKyb,
} from '../../../src/ramp/index.ts'
import { registerWallet, type Wallet } from '../../../src/wallets/index.ts'
import { freshAddress } from '../../chains/fresh-address.ts'
import { type TestDatabase, testDatabase } from '../../index.ts'
import { type FakeBridge, startFakeBridge } from './fake-bridge.ts'
import type { BridgeMessage } from './fake-bridge-state.ts'

const BANK = {
  routingNumber: '021000021',
  accountNumber: '000987654321',
  accountType: 'checking',
  holderName: 'Basalt Payments',
  bankName: 'First Bank',
} as const

/** The ramp with a stand-in for the partner, on a real database; time passes only when a test advances it. */
export interface BridgeFixture {
  readonly parts: RampParts
  readonly bridge: FakeBridge
  readonly clock: ManualClock
  readonly database: TestDatabase
  /** Delivers a message as the partner does. */
  deliver(message: BridgeMessage): Promise<number>
  /** Polls the partner's lists once. */
  poll(): Promise<void>
  /** Restarts the service on the same database, as after a crash. */
  restart(): RampParts
  /** An organization with a wallet; verified unless `verified` is false. */
  organization(verified?: boolean): Promise<BridgeClient>
  close(): Promise<void>
}

export interface BridgeClient {
  readonly organizationId: number
  readonly wallet: Wallet
  onramp(parts?: RampParts, more?: Partial<Pick<OpenAccountInput, 'rail'>>): Promise<RampAccount>
  offramp(parts?: RampParts): Promise<RampAccount>
  transactions(): Promise<RampTransaction[]>
  transaction(transactionId: number): Promise<RampTransaction>
}

const POLL_SECONDS = 60

/** `aheadMs`: how far the service's clock is ahead of the partner's. */
export async function startBridgeFixture({
  timeoutMs = 5_000,
  aheadMs = 0,
  log = silentLog,
} = {}): Promise<BridgeFixture> {
  const clock = new ManualClock(new Date('2026-03-01T12:00:00Z'))
  const [database, bridge] = [await testDatabase(), await startFakeBridge(clock)]
  const { db } = database
  const own: Clock = { now: () => new Date(clock.now().getTime() + aheadMs) }
  const common = { db, clock: own, log, random: systemRandomSource }
  const network = LIVE_EVM_NETWORKS.find(({ blockchain }) => blockchain === 'base')!
  // Nothing here reads the chain: the partner follows it.
  const chain = createEvmChain({ network, rpcUrls: ['http://127.0.0.1:9'], clock: own, log: silentLog })
  const chains = new Map([['base' as const, chain]])
  const encryptionKey = '5e'.repeat(32)
  const settings = {
    apiKey: bridge.apiKey,
    baseUrl: bridge.url,
    webhookPublicKey: bridge.publicKey,
    contactEmail: 'kyb@weir.example',
    pollSeconds: POLL_SECONDS,
  }
  const start = (): RampParts => ({
    ...common,
    chains,
    provider: createBridgeProvider({
      ...common,
      chains,
      settings,
      encryptionKeys: encryptionKey,
      fingerprintKey: encryptionKey,
      timeoutMs,
    }),
    sealer: createSealer(encryptionKey, 'ramp accounts', systemRandomSource),
    fields: createFieldSealer({ encryptionKeys: encryptionKey, indexKey: encryptionKey, random: systemRandomSource }),
  })
  const parts = start()
  let organizations = 0

  const fixture: BridgeFixture = {
    parts,
    bridge,
    clock,
    database,
    deliver: (message) => applyProviderMessage(parts, bridge.sign(message)),
    async poll() {
      clock.advance(POLL_SECONDS * 1_000)
      await runProviderWork(parts)
    },
    restart: start,
    async organization(verified = true) {
      organizations += 1
      const owner = { email: `owner${organizations}@ramp.example`, name: null, passwordHash: 'nobody logs in' }
      const name = `Basalt ${organizations}`
      const { organization } = await inTransaction(db, (tx) => createOrganization(tx, { clock: own }, { name, owner }))
      const scope: Scope = { organizationId: organization.id, walletProfileId: null }
      const { wallet } = await registerWallet(parts, { scope, walletAddress: freshAddress(), blockchain: 'base' })
      if (verified) {
        await startKyb(parts, { organizationId: organization.id })
        clock.advance(1_000)
        await fixture.deliver(bridge.verify(bridge.links[0]!.id, 'approved'))
      }
      return clientOf(fixture, scope, wallet)
    },
    async close() {
      await bridge.close()
      await database.close()
    },
  }
  return fixture
}

function clientOf({ parts }: BridgeFixture, scope: Scope, wallet: Wallet): BridgeClient {
  const { organizationId } = scope
  const wish = {
    scope,
    recipientId: null,
    wallet: { walletId: wallet.walletId },
    asset: 'USDC',
    rail: 'ach',
  } as const
  return {
    organizationId,
    wallet,
    onramp: (on = parts, more = {}) => openOnrampAccount(on, { ...wish, ...more }),
    offramp: (on = parts) => openOfframpAccount(on, { ...wish, bank: BANK }),
    transactions: async () =>
      (await listTransactions(parts, organizationId, {}, { limit: 100, offset: 0 })).transactions,
    transaction: (transactionId) => getTransaction(parts, organizationId, transactionId),
  }
}
