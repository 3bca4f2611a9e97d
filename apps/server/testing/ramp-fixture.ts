import { randomBytes } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Blockchain } from '../src/chains/index.ts'
import type { RampDirection } from '../src/database/index.ts'
import { inTransaction } from '../src/database/index.ts'
import type { Scope } from '../src/identity/index.ts'
import { createOrganization } from '../src/identity/organizations/create-organization.ts'
import { createSealer, ManualClock, silentLog, systemRandomSource } from '../src/kernel/index.ts'
import type { Parts } from '../src/operations/index.ts'
import {
  type Customer,
  createRecipient,
  createSandboxProvider,
  getTransaction,
  listTransactions,
  openOfframpAccount,
  openOnrampAccount,
  type RampAccount,
  type RampParts,
  type RampTransaction,
  runProviderWork,
  sandboxProviderParts,
  simulateKyb,
  simulateTransaction,
  startKyb,
} from '../src/ramp/index.ts'
import type { SandboxProviderParts } from '../src/ramp/sandbox/parts.ts'
import { createTokenSender } from '../src/sandbox/index.ts'
import { registerWallet, type Wallet } from '../src/wallets/index.ts'
import { createFollower } from '../src/watch/index.ts'
import { until } from './index.ts'
import { freshAddress, startTestSandbox, type TestSandbox } from './test-sandbox.ts'

/** The key that account numbers, deposit addresses and forms are derived from in tests. */
export const RAMP_KEY = '5e'.repeat(32)

/** The ramp on real embedded chains and a real database; time passes only when a test advances it. */
export interface RampFixture {
  readonly sandbox: TestSandbox
  readonly parts: RampParts & Parts
  readonly provider: SandboxProviderParts
  readonly clock: ManualClock
  /** Runs one round of all background work. */
  followOnce(): Promise<void>
  /** Runs rounds, 1.5 seconds apart, until nothing is left to do. */
  settle(): Promise<void>
  organization(name?: string): Promise<RampClient>
  close(): Promise<void>
}

/** A verified organization with a wallet. */
export interface RampClient {
  readonly organizationId: number
  readonly scope: Scope
  readonly wallet: Wallet
  recipient(fields?: { name?: string; approved?: boolean }): Promise<Customer>
  onramp(recipientId?: number | null): Promise<RampAccount>
  offramp(recipientId?: number | null): Promise<RampAccount>
  simulate(
    direction: RampDirection,
    more?: {
      scenario?: 'success' | 'failed' | 'rejected' | 'reversed'
      usdCents?: bigint
      accountId?: number
      delayMs?: number
    },
  ): Promise<void>
  transactions(): Promise<RampTransaction[]>
  transaction(transactionId: number): Promise<RampTransaction>
  /** The wallet's USDC balance on chain. */
  usdc(owner?: string): Promise<bigint>
}

export const BANK = {
  routingNumber: '021000021',
  accountNumber: '000987654321',
  accountType: 'checking',
  holderName: 'Basalt Payments',
  bankName: 'First Bank',
} as const

export async function startRampFixture(blockchain: Blockchain = 'base'): Promise<RampFixture> {
  const sandbox = await startTestSandbox([blockchain])
  const { db } = sandbox.parts
  const clock = new ManualClock(new Date('2026-03-01T12:00:00Z'))
  const common = { db, clock, log: silentLog, random: systemRandomSource }
  const tokenSender = createTokenSender({ ...common, sandbox: sandbox.embedded.sandbox })
  const provider = sandboxProviderParts({ ...common, tokenSender, encryptionKey: RAMP_KEY })
  const parts: RampFixture['parts'] = {
    ...common,
    chains: sandbox.embedded.chains,
    provider: createSandboxProvider(provider),
    sealer: createSealer(RAMP_KEY, 'ramp accounts', systemRandomSource),
  }
  const followers = [...parts.chains.values()].map((chain) =>
    createFollower(parts, chain, { isDevelopment: true, print: () => {}, ramp: parts }),
  )
  const { signal } = new AbortController()
  let organizations = 0

  const fixture: RampFixture = {
    sandbox,
    parts,
    provider,
    clock,
    async followOnce() {
      for (const follower of followers) await follower.round(signal)
      await runProviderWork(parts)
      for (const follower of followers) await follower.round(signal)
    },
    async settle() {
      await until(async () => {
        await fixture.followOnce()
        const begun = db.selectFrom('ramp_sandbox_transfers').select('reference').where('due_at', 'is not', null)
        const onTheirWay = db
          .selectFrom('ramp_sandbox_deposits')
          .leftJoin('ramp_deposits', 'ramp_deposits.tx_hash', 'ramp_sandbox_deposits.tx_hash')
          .select('simulation_id as reference')
          .where('ramp_deposits.id', 'is', null)
        const left = await begun.unionAll(onTheirWay).execute()
        clock.advance(1_500)
        return left.length === 0
      })
    },
    async organization(name = 'Basalt Payments') {
      organizations += 1
      const owner = { email: `owner${organizations}@ramp.example`, name: null, passwordHash: 'nobody logs in' }
      const { organization } = await inTransaction(db, (tx) => createOrganization(tx, { clock }, { name, owner }))
      const scope: Scope = { organizationId: organization.id, walletProfileId: null }
      const { wallet } = await registerWallet(parts, { scope, walletAddress: addressOn(blockchain), blockchain })
      await startKyb(parts, organization.id)
      await simulateKyb(parts, { organizationId: organization.id, recipientId: null, status: 'approved' })
      return clientOf(fixture, scope, wallet)
    },
    close: () => sandbox.close(),
  }
  await fixture.followOnce()
  return fixture
}

function addressOn(blockchain: Blockchain): string {
  return blockchain === 'solana' ? base58.encode(randomBytes(32)) : freshAddress()
}

function clientOf({ parts }: RampFixture, scope: Scope, wallet: Wallet): RampClient {
  const { organizationId } = scope
  const wish = { scope, wallet: { walletId: wallet.walletId }, asset: 'USDC', rail: 'ach' } as const
  return {
    organizationId,
    scope,
    wallet,
    async recipient({ name = 'Ada Lovelace', approved = true } = {}) {
      const address = { street1: '1 Main Street', city: 'Springfield', country: 'US' }
      const made = await createRecipient(parts, { organizationId, name, type: 'business', externalId: null, address })
      if (!approved) return made
      return simulateKyb(parts, { organizationId, recipientId: made.customerId, status: 'approved' })
    },
    onramp: (recipientId = null) => openOnrampAccount(parts, { ...wish, recipientId }),
    offramp: (recipientId = null) => openOfframpAccount(parts, { ...wish, recipientId, bank: BANK }),
    async simulate(direction, { scenario = 'success', usdCents = 50_000_00n, accountId, delayMs = 1_500 } = {}) {
      const asked = { organizationId, direction, recipientId: null, accountId, usdCents, scenario, delayMs }
      await simulateTransaction(parts, asked)
    },
    transactions: async () =>
      (await listTransactions(parts, organizationId, {}, { limit: 100, offset: 0 })).transactions,
    transaction: (transactionId) => getTransaction(parts, organizationId, transactionId),
    async usdc(owner = wallet.address) {
      const chain = parts.chains.get(wallet.blockchain)!
      const token = chain.network.tokens.find(({ symbol }) => symbol === 'USDC')!.address
      return (await chain.balances([{ owner, token }]))[0]!
    },
  }
}
