/**
 * A treasury in one process that may be killed at any labelled point: follower, rebalancer, a person who approves, and
 * a custody agent without a journal. Deploys the funds above the buffer, then returns what a raised buffer needs. Keeps
 * no state of its own: after a restart it continues from the database.
 */

import { type Hex, parseTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createTransactionPolls } from '../../src/agents/index.ts'
import { createEvmChain, type Network } from '../../src/chains/index.ts'
import { openDatabase } from '../../src/database/index.ts'
import { addMilliseconds, ManualClock, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import { approveOperation, getOperations, type Operation, reportSubmitted } from '../../src/operations/index.ts'
import { evaluateDueWallets, type RebalanceParts } from '../../src/rebalancing/index.ts'
import { updateOperationalWallet } from '../../src/wallets/index.ts'
import { createFollower } from '../../src/watch/index.ts'
import { FACTOR_SETTINGS } from '../identity/factor-settings.ts'
import { installCrashPoints, say } from '../processes/crash-points.ts'

export interface TreasuryInput {
  readonly databaseUrl: string
  readonly rpcUrl: string
  readonly network: Network
  readonly key: string
  readonly organizationId: number
  readonly opWalletId: number
  readonly userId: number
  /** Decimal text: the buffer after the first deployment. */
  /** Base units. */
  readonly raisedBuffer: string
  /** The number of this start: each advances the clock by ten minutes. */
  readonly start: number
  readonly dieAt?: number | string
}

/** Leases, claims and pauses lapse within this many rounds of three seconds; more means that something is stuck. */
const ROUNDS_MAX = 400

const input = JSON.parse(process.argv[2] ?? '{}') as TreasuryInput
let doing = 'start'
const points = installCrashPoints(input.dieAt, { doing: () => doing })
const clock = new ManualClock(addMilliseconds(new Date('2026-01-01T00:10:00Z'), input.start * 600_000))
const database = openDatabase({ url: input.databaseUrl, log: silentLog, max: 3 })
const chain = createEvmChain({ network: input.network, rpcUrls: [input.rpcUrl], log: silentLog, clock })
const parts: RebalanceParts = {
  db: database.db,
  clock,
  log: silentLog,
  chains: new Map([[input.network.blockchain, chain]]),
  rebalancing: {
    floor: { digits: 1n, scale: 0 },
    dust: { digits: 1n, scale: 2 },
    horizonDays: 30,
    withdrawHoldMs: 3_600_000,
    nativeUsd: {},
  },
}
const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
const poll = createTransactionPolls({ ...parts, random: systemRandomSource })
const account = privateKeyToAccount(input.key as Hex)
const { organizationId, opWalletId, userId } = input
const scope = { organizationId, walletProfileId: null }

for (let round = 0; !(await isDone()); round += 1) {
  if (round === ROUNDS_MAX) throw new Error('the treasury does not come to its end')
  clock.advance(3_000)
  await during('follow', () => follower.round(new AbortController().signal))
  await during('rebalance', () => evaluateDueWallets(parts))
  await during('approve', approveAll)
  await workOnce()
}
await say(`done ${JSON.stringify(points.labels)}`)
await database.close()
process.exit(0)

async function during<T>(what: string, work: () => Promise<T>): Promise<T> {
  doing = what
  return work()
}

async function operations(): Promise<readonly Operation[]> {
  return (await getOperations(parts, scope, {}, { limit: 50, offset: 0 })).operations
}

/** Whether both moves are done. Raises the buffer after the first. */
async function isDone(): Promise<boolean> {
  const completed = (await operations()).filter(({ state }) => state === 'COMPLETED').map(({ type }) => type)
  if (completed.includes('UNWIND')) return true
  if (completed.includes('SUPPLY')) {
    const buffer = BigInt(input.raisedBuffer)
    await during('raise the buffer', () => updateOperationalWallet(parts, { organizationId, opWalletId, buffer }))
  }
  return false
}

async function approveAll(): Promise<void> {
  for (const { operationId, state } of await operations()) {
    if (state === 'PENDING_APPROVAL')
      await approveOperation(
        { ...parts, environment: 'sandbox', factors: FACTOR_SETTINGS },
        { scope, operationId, userId },
      )
  }
}

/** "Already known" from a node counts as accepted. */
async function workOnce(): Promise<void> {
  const asked = { organizationId, leaseDurationMs: 5_000, signal: AbortSignal.abort() }
  const handedOut = await during('poll', () => poll(asked))
  if (!handedOut) return
  const { transaction, lease } = handedOut
  const { transactionId, unsignedBytes } = transaction
  const unsigned = parseTransaction(unsignedBytes as Hex) as TransactionSerializableEIP1559
  const signed = await chain.checkSigned(await account.signTransaction(unsigned), transaction)
  await during('send', () => chain.broadcast(signed.raw))
  const report = { organizationId, transactionId, txHash: signed.hash, leaseToken: lease.leaseToken }
  await during('report', () => reportSubmitted(parts, report))
}
