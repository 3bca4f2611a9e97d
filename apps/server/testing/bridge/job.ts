import { createEvmChain, LIVE_EVM_NETWORKS } from '../../src/chains/index.ts'
import { inTransaction } from '../../src/database/index.ts'
import { createOrganization } from '../../src/identity/create-organization.ts'
import type { Sight } from '../../src/identity/index.ts'
import { createSealer, ManualClock, silentLog, systemRandom } from '../../src/kernel/index.ts'
import {
  createBridgeProvider,
  getTransaction,
  listTransactions,
  openOfframpAccount,
  openOnrampAccount,
  type RampAccount,
  type RampParts,
  type RampTransaction,
  startKyb,
  takeMessage,
  workProvider,
} from '../../src/ramp/index.ts'
import { registerWallet, type Wallet } from '../../src/wallets/index.ts'
import { type TestDatabase, testDatabase } from '../index.ts'
import { freshAddress } from '../sandbox.ts'
import type { Message } from './ledger.ts'
import { type BridgeStandIn, startBridge } from './server.ts'

const BANK = {
  routingNumber: '021000021',
  accountNumber: '000987654321',
  accountType: 'checking',
  holderName: 'Basalt Payments',
  bankName: 'First Bank',
} as const

/** The ramp with the partner's stand-in behind it, on a real database; time passes when it is told to. */
export interface BridgeJob {
  readonly parts: RampParts
  readonly bridge: BridgeStandIn
  readonly clock: ManualClock
  readonly database: TestDatabase
  /** Delivers a message as the partner does. */
  deliver(message: Message): Promise<number>
  /** One poll of the partner's lists. */
  poll(): Promise<void>
  /** The service again, on the same database, as after a crash. */
  restarted(): RampParts
  /** An organization with a wallet; verified, unless it is to be otherwise. */
  organization(verified?: boolean): Promise<BridgeClientOf>
  close(): Promise<void>
}

export interface BridgeClientOf {
  readonly organizationId: number
  readonly wallet: Wallet
  onramp(parts?: RampParts): Promise<RampAccount>
  offramp(parts?: RampParts): Promise<RampAccount>
  transactions(): Promise<RampTransaction[]>
  transaction(transactionId: number): Promise<RampTransaction>
}

const POLL_SECONDS = 60

export async function startBridgeJob({ timeoutMs = 5_000 } = {}): Promise<BridgeJob> {
  const clock = new ManualClock(new Date('2026-03-01T12:00:00Z'))
  const [database, bridge] = [await testDatabase(), await startBridge(clock)]
  const { db } = database
  const common = { db, clock, log: silentLog, random: systemRandom }
  const network = LIVE_EVM_NETWORKS.find(({ blockchain }) => blockchain === 'base')!
  // Nothing here asks the chain: the partner watches it.
  const chain = createEvmChain({ network, rpcUrls: ['http://127.0.0.1:9'], clock, log: silentLog })
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
    provider: createBridgeProvider({ ...common, chains, settings, encryptionKey, timeoutMs }),
    sealer: createSealer(encryptionKey, 'ramp accounts', systemRandom),
  })
  const parts = start()
  let organizations = 0

  const job: BridgeJob = {
    parts,
    bridge,
    clock,
    database,
    deliver: (message) => takeMessage(parts, bridge.sign(message)),
    async poll() {
      clock.advance(POLL_SECONDS * 1_000)
      await workProvider(parts)
    },
    restarted: start,
    async organization(verified = true) {
      organizations += 1
      const owner = { email: `owner${organizations}@ramp.example`, name: null, passwordHash: 'nobody logs in' }
      const name = `Basalt ${organizations}`
      const { organization } = await inTransaction(db, (tx) => createOrganization(tx, { clock }, { name, owner }))
      const sight: Sight = { organizationId: organization.id, walletProfileId: null }
      const { wallet } = await registerWallet(parts, { sight, walletAddress: freshAddress(), blockchain: 'base' })
      if (verified) {
        await startKyb(parts, organization.id)
        clock.advance(1_000)
        await job.deliver(bridge.verify(bridge.links[0]!.id, 'approved'))
      }
      return clientOf(job, sight, wallet)
    },
    async close() {
      await bridge.close()
      await database.close()
    },
  }
  return job
}

function clientOf({ parts }: BridgeJob, sight: Sight, wallet: Wallet): BridgeClientOf {
  const { organizationId } = sight
  const wish = { sight, recipientId: null, wallet: { walletId: wallet.walletId }, asset: 'USDC', rail: 'ach' } as const
  return {
    organizationId,
    wallet,
    onramp: (on = parts) => openOnrampAccount(on, wish),
    offramp: (on = parts) => openOfframpAccount(on, { ...wish, bank: BANK }),
    transactions: async () =>
      (await listTransactions(parts, organizationId, {}, { limit: 100, offset: 0 })).transactions,
    transaction: (transactionId) => getTransaction(parts, organizationId, transactionId),
  }
}
