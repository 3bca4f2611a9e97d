import { expect } from 'vitest'
import { baseUnitsOf, evaluateDueWallets, limitReasonFor, type RebalanceParts } from '../../src/rebalancing/index.ts'
import { type OperationalWallet, updateOperationalWallet } from '../../src/wallets/index.ts'
import { createTestAgent } from '../agents/test-agent.ts'
import { anyState } from '../operations/any-state.ts'
import type { TestClient } from '../operations/test-client.ts'
import { type ChainInUse, useChain } from '../operations/use-chain.ts'
import { USDC } from '../units.ts'
import { createOperationalWallet } from './operational-wallets.ts'

/** An operational wallet, with the client that holds its key. */
export interface RebalancedWallet {
  readonly client: TestClient
  readonly wallet: OperationalWallet
}

export interface RebalancerInUse extends ChainInUse {
  /** The engine's parts with a floor of 1 USDC, a dust of 0.01, a hold of an hour and gas that costs nothing. */
  readonly parts: RebalanceParts
  /** A client with settled USDC, 1,000 by default. */
  fundedClient(usdc?: bigint): Promise<TestClient>
  /** Makes a client's USDC an operational wallet. */
  monitor(client: TestClient, buffer: bigint): Promise<RebalancedWallet>
  /** A wallet of 1,000 USDC with these positions by strategy, a buffer of the rest, and no deposits of its own. */
  deployed(positions: Readonly<Record<string, bigint>>): Promise<RebalancedWallet>
  change(use: RebalancedWallet, what: { buffer?: bigint; enableYield?: boolean }): Promise<unknown>
  /** The wallet's operations, oldest first. */
  operationsOf(use: RebalancedWallet): ReturnType<typeof readOperations>
  rowOf(use: RebalancedWallet): ReturnType<typeof readRow>
  /** Evaluates until no wallet is due. */
  evaluateAll(): Promise<void>
  /** Evaluates, and lets the agent carry out what was planned; undefined if nothing was. */
  next(use: RebalancedWallet): Promise<CarriedOut | undefined>
}

interface CarriedOut {
  readonly strategyId: number
  /** Of its first transaction. */
  readonly kind: string
  readonly settled: bigint | null
}

/** One chain and one rebalancer without a timer for a test file. */
export function useRebalancer(): RebalancerInUse {
  const chain = useChain()
  const use: RebalancerInUse = {
    get dev() {
      return chain.dev
    },
    get engine() {
      return chain.engine
    },
    get parts() {
      const { db, clock } = chain.engine.parts
      return {
        ...chain.engine.parts,
        dustOf: (decimals: number) => baseUnitsOf(SETTINGS.dust, decimals),
        limitReason: limitReasonFor({ db, clock, rebalancing: SETTINGS }),
        rebalancing: SETTINGS,
      }
    },
    async fundedClient(usdc = 1_000n * USDC) {
      const client = await chain.engine.client({ usdc })
      await chain.engine.settle()
      return client
    },
    monitor: async (client, buffer) => ({
      client,
      wallet: await createOperationalWallet(chain.engine, client, buffer),
    }),
    async deployed(positions) {
      const client = await use.fundedClient()
      let left = 1_000n * USDC
      for (const [key, amount] of Object.entries(positions)) {
        await client.complete(await client.supply(amount, key))
        left -= amount
      }
      const monitored = await use.monitor(client, left)
      await use.change(monitored, { enableYield: false })
      return monitored
    },
    change: ({ wallet: { organizationId, opWalletId } }, what) =>
      updateOperationalWallet(chain.engine.parts, { organizationId, opWalletId, ...what }),
    operationsOf: ({ wallet }) => readOperations(chain, wallet),
    rowOf: ({ wallet }) => readRow(chain, wallet),
    async evaluateAll() {
      chain.engine.clock.advance(1)
      for (let rounds = 0; rounds < 20; rounds += 1) if ((await evaluateDueWallets(use.parts)) === 0) return
      throw new Error('the rebalancer still has due wallets after 20 rounds')
    },
    async next(wallet) {
      await use.evaluateAll()
      const [planned] = (await use.operationsOf(wallet)).filter(({ state }) => state === 'EXECUTING')
      if (!planned) return undefined
      const operation = await wallet.client.operation({ operationId: planned.id })
      const done = await createTestAgent(chain.engine, wallet.client).carryOut(operation)
      expect(done.state).toBe('COMPLETED')
      return { strategyId: done.strategyId, kind: done.transactions[0]!.kind, settled: anyState(done).settledAmount }
    },
  }
  return use
}

const SETTINGS: RebalanceParts['rebalancing'] = {
  floor: { digits: 1n, scale: 0 },
  dust: { digits: 1n, scale: 2 },
  horizonDays: 30,
  withdrawHoldMs: 3_600_000,
  nativeUsd: {},
}

const readOperations = ({ engine }: ChainInUse, { opWalletId }: OperationalWallet) =>
  engine.db
    .selectFrom('operations')
    .select(['id', 'type', 'state', 'amount', 'origin', 'reasons', 'strategy_id', 'planned_value'])
    .where('op_wallet_id', '=', opWalletId)
    .orderBy('id')
    .execute()

const readRow = ({ engine }: ChainInUse, { opWalletId }: OperationalWallet) =>
  engine.db.selectFrom('operational_wallets').selectAll().where('id', '=', opWalletId).executeTakeFirstOrThrow()
