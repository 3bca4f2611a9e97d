/**
 * One integrator and the engine in one process that may be killed at any labelled point. Supplies, then withdraws
 * everything; or revokes an allowance that an ended supply left. Keeps no state of its own: after a restart it continues from the database.
 */

import { createKeyPairFromBytes } from '@solana/keys'
import { getBase64EncodedWireTransaction, getTransactionDecoder, partiallySignTransaction } from '@solana/transactions'
import { type Hex, parseTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Chain, createEvmChain, createSolanaChain, type Network } from '../../src/chains/index.ts'
import { openDatabase } from '../../src/database/index.ts'
import { addMilliseconds, ManualClock, silentLog } from '../../src/kernel/index.ts'
import {
  getOperations,
  isUnfinished,
  type Parts,
  planRevocation,
  planSupply,
  planUnwind,
  submitSigned,
} from '../../src/operations/index.ts'
import { createFollower } from '../../src/watch/index.ts'
import { anyState } from '../operations/any-state.ts'
import { BY_KEY } from '../operations/requesters.ts'
import { installCrashPoints, say } from '../processes/crash-points.ts'

export interface CrashingInput {
  readonly databaseUrl: string
  readonly rpcUrl: string
  readonly network: Network
  /** Hex on EVM chains; on Solana the 64 bytes of the key pair as base64. */
  readonly key: string
  readonly organizationId: number
  readonly walletId: number
  readonly strategyId: number
  readonly tokenAddress: string
  /** `null`: revokes the allowance of the strategy's contract. */
  readonly amount: string | null
  /** The number of this start: each advances the clock by ten seconds. */
  readonly start: number
  readonly dieAt?: number | string
}

const input = JSON.parse(process.argv[2] ?? '{}') as CrashingInput
const points = installCrashPoints(input.dieAt)
const clock = new ManualClock(addMilliseconds(new Date('2026-01-01T00:00:00Z'), input.start * 10_000))
const database = openDatabase({ url: input.databaseUrl, log: silentLog, max: 3 })
const asked = { network: input.network, rpcUrls: [input.rpcUrl], log: silentLog, clock }
const chain: Chain = input.network.family === 'evm' ? createEvmChain(asked) : createSolanaChain(asked)
const parts: Parts = { db: database.db, clock, log: silentLog, chains: new Map([[input.network.blockchain, chain]]) }
const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
const sign = input.network.family === 'evm' ? evmSigner() : await solanaSigner()
const scope = { organizationId: input.organizationId, walletProfileId: null }
const named = { scope: scope, walletId: input.walletId, strategyId: input.strategyId, requestedBy: BY_KEY }

const { amount, tokenAddress } = input
if (amount === null) {
  await carryOut('SUPPLY', () => planRevocation(parts, named))
} else {
  await carryOut('SUPPLY', () => planSupply(parts, { ...named, amount: BigInt(amount), tokenAddress }))
  await carryOut('UNWIND', () => planUnwind(parts, { ...named, amount: 'full' }))
}
await say(`done ${JSON.stringify(points.labels)}`)
await database.close()
process.exit(0)

/** Completes one operation of this type, wherever an earlier process stopped. */
async function carryOut(type: 'SUPPLY' | 'UNWIND', plan: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await follow()
    const { operations } = await getOperations(
      parts,
      scope,
      { walletId: input.walletId, type },
      { limit: 10, offset: 0 },
    )
    if (operations.some(({ state }) => state === 'COMPLETED')) return
    const unfinished = operations.find(({ state }) => isUnfinished(state))
    if (!unfinished) {
      await plan()
      continue
    }
    const waiting = unfinished.transactions.find(({ status }) => status === 'unsigned')
    if (waiting) {
      const signedTransaction = await sign(anyState(waiting).unsignedBytes)
      await submitSigned(parts, { scope, operationId: unfinished.operationId, signedTransaction })
    }
  }
}

/** Advances the time and follows once: work with a due time gets its turn. */
async function follow(): Promise<void> {
  clock.advance(3_000)
  await follower.round(new AbortController().signal)
}

function evmSigner(): (unsigned: string) => Promise<string> {
  const account = privateKeyToAccount(input.key as Hex)
  return (unsigned) => account.signTransaction(parseTransaction(unsigned as Hex) as TransactionSerializableEIP1559)
}

async function solanaSigner(): Promise<(unsigned: string) => Promise<string>> {
  const pair = await createKeyPairFromBytes(Buffer.from(input.key, 'base64'))
  return async (unsigned) => {
    const transaction = getTransactionDecoder().decode(Buffer.from(unsigned, 'base64'))
    return getBase64EncodedWireTransaction(await partiallySignTransaction([pair], transaction))
  }
}
