import type { Lifetime, SenderFacts, SvmSenderFacts } from '../port.ts'
import type { InContext, SolanaContext } from './context.ts'
import { priorityFee, type RecentFee } from './priority-fee.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO = 1_000_000n

/** What a plan needs to know of a sender: its lamports, a recent blockhash, and what others pay. One HTTP call. */
export async function sender(
  { rpc, slotMs, busyAccounts, priorityFees }: SolanaContext,
  address: string,
): Promise<SvmSenderFacts> {
  const confirmed = { commitment: 'confirmed' }
  const [balance, latest, height, fees] = await Promise.all([
    rpc.request<InContext<number>>('getBalance', [address, confirmed]),
    rpc.request<InContext<Omit<Lifetime, 'validForMs'>>>('getLatestBlockhash', [confirmed]),
    rpc.request<number>('getBlockHeight', [confirmed]),
    rpc.ask('getRecentPrioritizationFees', [[...busyAccounts]]),
  ])
  const { blockhash, lastValidBlockHeight } = latest.value
  return {
    family: 'svm',
    native: BigInt(balance.value),
    height,
    lifetime: { blockhash, lastValidBlockHeight, validForMs: Math.max(0, lastValidBlockHeight - height) * slotMs },
    priorityFee: fees.ok ? priorityFee(fees.result as RecentFee[], priorityFees) : 0n,
  }
}

/** Most that transactions with these compute units can cost, in lamports; one signature each. */
export function networkFee(units: readonly bigint[], facts: SenderFacts): bigint {
  const price = facts.family === 'svm' ? facts.priorityFee : 0n
  return units.reduce((sum, limit) => sum + LAMPORTS_PER_SIGNATURE + (price * limit + MICRO - 1n) / MICRO, 0n)
}
