/**
 * A custody agent and the engine in one process that may be killed at any labelled point. Moves funds into a strategy,
 * then all of them back. Keeps no journal: after a restart it recovers from the database and the chain.
 */

import { type Hex, parseTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createTransactionPolls } from '../../src/agents/index.ts'
import { createEvmChain } from '../../src/chains/index.ts'
import { openDatabase } from '../../src/database/index.ts'
import { addMilliseconds, ManualClock, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import { getOperations, isUnfinished, type Parts, planMove, reportSubmitted } from '../../src/operations/index.ts'
import { createFollower } from '../../src/watch/index.ts'
import { BY_KEY } from '../operations/requesters.ts'
import { installCrashPoints, say } from '../processes/crash-points.ts'
import type { CrashingInput } from './crashing-engine.ts'

export interface AgentCrashingInput extends Omit<CrashingInput, 'tokenAddress' | 'amount'> {
  readonly amount: string
  readonly opWalletId: number
}

const LEASE_MS = 1_000

const input = JSON.parse(process.argv[2] ?? '{}') as AgentCrashingInput
const points = installCrashPoints(input.dieAt)
const clock = new ManualClock(addMilliseconds(new Date('2026-01-01T00:00:00Z'), input.start * 60_000))
const database = openDatabase({ url: input.databaseUrl, log: silentLog, max: 3 })
const chain = createEvmChain({ network: input.network, rpcUrls: [input.rpcUrl], log: silentLog, clock })
const parts: Parts = { db: database.db, clock, log: silentLog, chains: new Map([[input.network.blockchain, chain]]) }
const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
const poll = createTransactionPolls({ ...parts, random: systemRandomSource })
const account = privateKeyToAccount(input.key as Hex)
const { organizationId, opWalletId, walletId, strategyId } = input

await carryOut('SUPPLY', BigInt(input.amount))
await carryOut('UNWIND', null)
await say(`done ${JSON.stringify(points.labels)}`)
await database.close()
process.exit(0)

/** Completes one operation of this type, wherever an earlier process stopped. */
async function carryOut(type: 'SUPPLY' | 'UNWIND', amount: bigint | null): Promise<void> {
  for (;;) {
    clock.advance(3_000)
    await follower.round(new AbortController().signal)
    const scope = { organizationId, walletProfileId: null }
    const { operations } = await getOperations(parts, scope, { walletId, type }, { limit: 10, offset: 0 })
    if (operations.some(({ state }) => state === 'COMPLETED')) return
    if (!operations.some(({ state }) => isUnfinished(state))) {
      const origin = { origin: 'explicit', requestedBy: BY_KEY, reasons: {} } as const
      await planMove(parts, { organizationId, opWalletId, strategyId, type, amount, ...origin })
    }
    await work()
  }
}

/** Polls, signs, sends, reports. "Already known" from a node counts as accepted. */
async function work(): Promise<void> {
  const handedOut = await poll({ organizationId, leaseDurationMs: LEASE_MS, signal: AbortSignal.abort() })
  if (!handedOut) return
  const { transaction, lease } = handedOut
  const unsigned = parseTransaction(transaction.unsignedBytes as Hex) as TransactionSerializableEIP1559
  const signed = await chain.checkSigned(await account.signTransaction(unsigned), transaction)
  await chain.broadcast(signed.raw)
  const { transactionId } = transaction
  await reportSubmitted(parts, { organizationId, transactionId, txHash: signed.hash, leaseToken: lease.leaseToken })
}
