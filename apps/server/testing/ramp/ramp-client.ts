import { randomUUID } from 'node:crypto'
import type { Blockchain } from '../../src/chains/index.ts'
import { inTransaction, type RampDirection } from '../../src/database/index.ts'
import type { Scope } from '../../src/identity/index.ts'
import { createOrganization } from '../../src/identity/organizations/create-organization.ts'
import {
  type Customer,
  createRecipient,
  getTransaction,
  listTransactions,
  openOfframpAccount,
  openOnrampAccount,
  type RampAccount,
  type RampParts,
  type RampTransaction,
  simulateKyb,
  simulateTransaction,
  startKyb,
} from '../../src/ramp/index.ts'
import { registerWallet, type Wallet } from '../../src/wallets/index.ts'
import { freshAddressOn } from '../chains/fresh-address.ts'

/** An organization with a wallet. */
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

/** The key that account numbers, deposit addresses and forms are derived from in tests. */
export const RAMP_KEY = '5e'.repeat(32)

export const BANK = {
  routingNumber: '021000021',
  accountNumber: '000987654321',
  accountType: 'checking',
  holderName: 'Basalt Payments',
  bankName: 'First Bank',
} as const

/** A new organization with a wallet on the chain; verified unless `verified` is false. */
export async function newRampClient(
  parts: RampParts,
  blockchain: Blockchain,
  { name = 'Basalt Payments', verified = true }: { name?: string | undefined; verified?: boolean } = {},
): Promise<RampClient> {
  const owner = { email: `${randomUUID()}@ramp.example`, name: null, passwordHash: 'nobody logs in' }
  const { organization } = await inTransaction(parts.db, (tx) => createOrganization(tx, parts, { name, owner }))
  const scope: Scope = { organizationId: organization.id, walletProfileId: null }
  const walletAddress = freshAddressOn(blockchain)
  const { wallet } = await registerWallet(parts, { scope, walletAddress, blockchain })
  if (verified) {
    await startKyb(parts, { organizationId: organization.id })
    await simulateKyb(parts, { organizationId: organization.id, recipientId: null, status: 'approved' })
  }
  return clientOf(parts, scope, wallet)
}

function clientOf(parts: RampParts, scope: Scope, wallet: Wallet): RampClient {
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
