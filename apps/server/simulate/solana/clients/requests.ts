import {
  isIssued,
  issueUnsignedTransactions,
  planSupply,
  planUnwind,
  submitSigned,
} from '../../../src/operations/index.ts'
import { strategiesOnChain } from '../../../src/venues/index.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import type { WalletAccount } from '../../clients/wallet-account.ts'
import type { Random } from '../../random.ts'
import { expectDead, expectHonestPlan, expectSameEffect } from '../checks/plan.ts'
import { withExactRefusal } from '../checks/refusals.ts'
import type { SolanaRun } from '../solana-run.ts'
import { MARKETS } from '../world/market.ts'
import type { SolanaClientBytes, SolanaWalletClient } from './wallet-client.ts'

export function clientOf(run: SolanaRun, random: Random): SolanaWalletClient {
  const holders = run.holders.filter(({ accounts }) => accounts.length > 0)
  // If there is a treasury, the last holder's wallet is mostly the treasury's.
  return random.pick(run.treasury && random.chance(0.8) ? holders.slice(0, 2) : holders)
}

/** Bytes that their holder has not promised to discard. */
export function bytesOf({ issued }: SolanaWalletClient, random: Random): SolanaClientBytes | undefined {
  const own = issued.filter(({ discarded }) => !discarded)
  // Usually one of the newest; older ones may have been superseded, cancelled, expired or landed long ago.
  return random.chance(0.7) ? own.slice(-3)[random.int(3)] : own[random.int(own.length)]
}

export async function supply(
  run: SolanaRun,
  holder: SolanaWalletClient,
  account: WalletAccount,
  random: Random,
): Promise<() => Promise<void>> {
  const market = random.pick(MARKETS)
  const strategyId = await strategyOf(run, market.key)
  const amount = random.part(holder.balance(market.token), 1, random.chance(0.1) ? 130 : 70)
  const { scope, walletId } = account
  const input = { scope: scope, walletId, strategyId, amount, tokenAddress: market.token, requestedBy: BY_KEY }
  return async () => {
    const move = { market, kind: 'supply', amount } as const
    const { transactions } = await withExactRefusal(run, holder.address, move, () =>
      planSupply(run.service.parts, input),
    )
    holder.receive(account, transactions.filter(isIssued))
    expectHonestPlan(run, holder, transactions.filter(isIssued), move)
  }
}

export async function unwind(
  run: SolanaRun,
  holder: SolanaWalletClient,
  account: WalletAccount,
  random: Random,
): Promise<() => Promise<void>> {
  const market = random.pick(MARKETS)
  const strategyId = await strategyOf(run, market.key)
  const amount = random.chance(0.4) ? undefined : BigInt(random.between(1_000, 900_000_000))
  const { scope, walletId } = account
  const what = { amount: amount ?? ('full' as const) }
  return async () => {
    const move = { market, kind: 'unwind', amount } as const
    const input = { scope, walletId, strategyId, requestedBy: BY_KEY, ...what }
    const { transactions } = await withExactRefusal(run, holder.address, move, () =>
      planUnwind(run.service.parts, input),
    )
    holder.receive(account, transactions.filter(isIssued))
    expectHonestPlan(run, holder, transactions.filter(isIssued), move)
  }
}

/** Requests the bytes that wait for a signature; `discard` promises that bytes issued earlier are discarded. */
export async function requestUnsignedBytes(
  run: SolanaRun,
  holder: SolanaWalletClient,
  { account, transaction }: SolanaClientBytes,
  promise: 'none' | 'kept' | 'broken',
): Promise<void> {
  const { operationId } = transaction
  const discard = promise !== 'none'
  const own = holder.issued.filter((other) => other.transaction.operationId === operationId)
  for (const bytes of own) {
    // Nobody can discard what the network already has.
    const isBroken = promise === 'broken' || (discard && holder.sent.some((sent) => sent.bytes === bytes))
    if (isBroken) run.doubled.add(bytes.transaction.transactionId)
    if (promise === 'kept') bytes.discarded = true
  }
  await run.request(`bytes of operation ${operationId}, promise ${promise}`, async () => {
    const waiting = await issueUnsignedTransactions(run.service.parts, account.scope, operationId, { discard })
    expectSameEffect(holder, waiting)
    if (!discard) expectDead(run, holder, waiting)
    holder.receive(account, waiting)
    // The same bytes were issued again: it may sign them.
    for (const bytes of own) {
      if (waiting.some(({ unsignedBytes }) => unsignedBytes === bytes.transaction.unsignedBytes))
        bytes.discarded = false
    }
  })
}

export function submit(run: SolanaRun, holder: SolanaWalletClient, bytes: SolanaClientBytes): () => Promise<unknown> {
  const { account, transaction } = bytes
  const signedTransaction = holder.sign(bytes)
  const input = { scope: account.scope, operationId: transaction.operationId, signedTransaction }
  return () => submitSigned(run.service.parts, input)
}

export const named = ({ transaction }: SolanaClientBytes) =>
  `${transaction.kind} ${transaction.transactionId} of operation ${transaction.operationId} up to ${transaction.lastValidBlockHeight}`

async function strategyOf({ database }: SolanaRun, key: string): Promise<number> {
  return (await strategiesOnChain(database.db, 'solana')).find((strategy) => strategy.key === key)!.id
}
