import type { BlockhashLifetime, SenderState, SvmSenderState } from '../../port/sender-state.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import { integerFrom, safeIntegerFrom } from '../../rpc/integer-from.ts'
import type { SolanaContext, SolanaRpcResponse } from '../context.ts'
import { priorityFee, type RecentFee } from '../fees/priority-fee.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO = 1_000_000n

/** The sender state that a plan needs: its lamports, a recent blockhash, and current fees. One HTTP call. */
export async function senderState(
  { rpc, slotMs, busyAccounts, priorityFees }: SolanaContext,
  address: string,
): Promise<SvmSenderState> {
  const confirmed = { commitment: 'confirmed' }
  const [balance, latest, height, fees] = await Promise.all([
    rpc.request<SolanaRpcResponse<number>>('getBalance', [address, confirmed]),
    rpc.request<SolanaRpcResponse<Omit<BlockhashLifetime, 'validForMs'>>>('getLatestBlockhash', [confirmed]),
    rpc.request<number>('getBlockHeight', [confirmed]),
    rpc.tryRequest('getRecentPrioritizationFees', [[...busyAccounts]]),
  ])
  return decodeResult('getLatestBlockhash', () => {
    const { blockhash } = latest.value
    const lastValidBlockHeight = safeIntegerFrom('lastValidBlockHeight', latest.value.lastValidBlockHeight)
    const validForMs = Math.max(0, lastValidBlockHeight - safeIntegerFrom('getBlockHeight', height)) * slotMs
    return {
      family: 'svm',
      nonces: null,
      native: integerFrom('getBalance', balance.value),
      height,
      lifetime: { blockhash, lastValidBlockHeight, validForMs },
      priorityFee: fees.ok ? priorityFee(fees.result as RecentFee[], priorityFees) : 0n,
    }
  })
}

/** The maximum cost of transactions with these compute units, in lamports; one signature each. */
export function networkFee(units: readonly bigint[], sender: SenderState): bigint {
  const price = sender.family === 'svm' ? sender.priorityFee : 0n
  return units.reduce((sum, limit) => sum + LAMPORTS_PER_SIGNATURE + (price * limit + MICRO - 1n) / MICRO, 0n)
}
