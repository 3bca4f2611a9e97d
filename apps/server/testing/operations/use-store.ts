import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { createEvmChain, type EvmChain, type EvmSenderState, LIVE_EVM_NETWORKS } from '../../src/chains/index.ts'
import { type Database, inTransaction, type Tx } from '../../src/database/index.ts'
import { SYSTEM_ACTOR } from '../../src/identity/index.ts'
import { createOrganization } from '../../src/identity/organizations/create-organization.ts'
import { ManualClock, silentLog } from '../../src/kernel/index.ts'
import { balancesOf, post, postings } from '../../src/ledger/index.ts'
import type { Operation, Parts } from '../../src/operations/index.ts'
import { readOperation } from '../../src/operations/lifecycle/reads/read-operations.ts'
import { commitMove } from '../../src/operations/planning/commit-move.ts'
import { commitPlan, type OperationPlan } from '../../src/operations/planning/commit-plan.ts'
import { findOperationalWalletContext } from '../../src/operations/planning/find-operational-wallet.ts'
import type { PreparedMove } from '../../src/operations/planning/prepared-move.ts'
import { strategySeed, venueSeed } from '../../src/venues/catalogue/test-seeds.ts'
import { type PlanStep, type Strategy, seedCatalogue, strategiesOnChain } from '../../src/venues/index.ts'
import {
  addOperationalWallet,
  findWalletToken,
  type OperationalWallet,
  registerWallet,
  type Wallet,
} from '../../src/wallets/index.ts'
import { testDatabase } from '../index.ts'
import { USDC } from '../units.ts'
import { BY_KEY } from './requesters.ts'

/** For verbs that read and write rows only: one database for a test file, and chains whose nodes are never called. */
export interface StoreInUse {
  readonly parts: Parts
  readonly db: Database
  readonly clock: ManualClock
  readonly chain: EvmChain
  readonly strategy: Strategy
  /** A new organization with a default profile. */
  organization(): Promise<number>
  /** A wallet on Polygon with this much USDC in the ledger, in a new organization unless one is given. */
  wallet(options?: { organizationId?: number; usdc?: bigint }): Promise<Wallet>
  /** Makes the USDC of a wallet an operational wallet. */
  operationalWallet(wallet: Wallet, buffer?: bigint): Promise<OperationalWallet>
  /** A client's supply with the bytes of an approval and a supply, as planned at the given nonce. */
  plan(wallet: Wallet, change?: Partial<OperationPlan> & { nonce?: number }): Promise<Operation>
  /** An agent's supply of 100 USDC with an approval and a supply that have no bytes. */
  move(opWallet: OperationalWallet, change?: Partial<PreparedMove>): Promise<Operation>
  /** The same before it is committed. */
  prepareMove(opWallet: OperationalWallet, change?: Partial<PreparedMove>): Promise<PreparedMove>
  /** The operation as it is stored now. */
  reload(operation: Operation): Promise<Operation>
  /** Base units in a wallet's USDC accounts. */
  balances(wallet: Pick<Wallet, 'organizationId' | 'walletId'>): Promise<{ available: bigint; reserved: bigint }>
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** The state that a node returns for a sender with this many transactions. */
export const senderState = (nonce = 0): EvmSenderState => ({
  family: 'evm',
  nonces: { pending: nonce, latest: nonce, block: 0 },
  native: 10n ** 20n,
  baseFeePerGas: 30n,
  maxFeePerGas: 100n,
  maxPriorityFeePerGas: 30n,
})

/** A step of a plan, whose call has this selector as its only data. */
export const step = (kind: PlanStep['kind'], data = '0x12345678'): PlanStep => ({
  kind,
  description: `${kind} of a test`,
  call: { family: 'evm', to: '0x794a61358D6845594F94dc1DB02A252b5b4814aD', data, value: 0n },
})

const STEPS = [step('approve'), step('supply')]

export function useStore(): StoreInUse {
  const use: { -readonly [Key in 'db' | 'strategy']?: StoreInUse[Key] } & { close?: () => Promise<void> } = {}
  const clock = new ManualClock()
  const chains = LIVE_EVM_NETWORKS.map((network) =>
    createEvmChain({ network, rpcUrls: ['http://127.0.0.1:9'], log: silentLog, clock }),
  )
  const chain = chains.find(({ network }) => network.blockchain === 'polygon')!
  beforeAll(async () => {
    const { db, close } = await testDatabase()
    await seedCatalogue(db, [venueSeed('vault', [strategySeed('vault:polygon:USDC')])])
    Object.assign(use, { db, close, strategy: (await strategiesOnChain(db, 'polygon'))[0] })
  })
  afterAll(() => use.close?.())

  const store: StoreInUse = {
    get parts() {
      return {
        db: store.db,
        clock,
        log: silentLog,
        chains: new Map(chains.map((each) => [each.network.blockchain, each])),
      }
    },
    get db() {
      return use.db!
    },
    clock,
    chain,
    get strategy() {
      return use.strategy!
    },
    async organization() {
      const owner = { email: `${randomUUID()}@acme.example`, name: null, passwordHash: 'nobody logs in' }
      const created = await store.tx((tx) => createOrganization(tx, { clock }, { name: 'Acme', owner }))
      return created.organization.id
    },
    async wallet({ organizationId, usdc = 1_000n * USDC } = {}) {
      const scope = { organizationId: organizationId ?? (await store.organization()), walletProfileId: null }
      const walletAddress = `0x${randomBytes(20).toString('hex')}`
      const { wallet } = await registerWallet(store.parts, { scope, walletAddress, blockchain: 'polygon' })
      const amounts = { available: usdc, external: -usdc }
      const entry = {
        organizationId: scope.organizationId,
        kind: 'external_balance',
        source: `funds:${wallet.walletId}`,
        at: clock.now(),
        postings: postings(wallet.walletId, store.strategy.tokenAddress, amounts),
      } as const
      await store.tx((tx) => post(tx, [entry]))
      return wallet
    },
    async operationalWallet({ organizationId, walletId }, buffer = 0n) {
      const token = await findWalletToken(store.parts, { organizationId, walletId, symbol: 'USDC' })
      return (await addOperationalWallet(store.parts, { ...token, enableYield: true, buffer })).operationalWallet
    },
    plan: (wallet, { nonce = 0, ...change } = {}) =>
      commitPlan(store.parts, {
        target: { wallet, strategy: store.strategy, operationTimeoutSeconds: 120 },
        chain,
        type: 'SUPPLY',
        amount: 100n * USDC,
        requestedBy: BY_KEY,
        prepared: { steps: STEPS, senderState: senderState(nonce), gas: [80_000n, 450_000n] },
        onChainBalance: 1_000n * USDC,
        ...change,
      }),
    async prepareMove(opWallet, change = {}) {
      const { organizationId, opWalletId } = opWallet
      return {
        organizationId,
        opWalletId,
        strategyId: store.strategy.id,
        type: 'SUPPLY',
        amount: 100n * USDC,
        origin: 'rebalancer',
        requestedBy: SYSTEM_ACTOR,
        reasons: {},
        operationalWallet: await findOperationalWalletContext(store.db, opWallet),
        strategy: store.strategy,
        senderState: senderState(),
        steps: STEPS,
        onChainBalance: 1_000n * USDC,
        value: change.amount ?? 100n * USDC,
        ...change,
      }
    },
    move: async (opWallet, change) => commitMove(store.parts, await store.prepareMove(opWallet, change)),
    reload: ({ organizationId, operationId }) =>
      readOperation(store.db, { organizationId, walletProfileId: null }, operationId),
    async balances(wallet) {
      const rows = await balancesOf(store.db, wallet)
      const { available, reserved } = rows.find(({ tokenAddress }) => tokenAddress === store.strategy.tokenAddress)!
      return { available, reserved }
    },
    tx: (work) => inTransaction(store.db, work),
  }
  return store
}
