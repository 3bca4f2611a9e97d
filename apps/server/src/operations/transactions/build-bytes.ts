import type { Chain, TransactionRequest } from '../../chains/index.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import type { TransactionBytes } from '../lifecycle/transaction.ts'

/** Unsigned bytes, and until when they are good: as long as their operation, or as their blockhash. Pure. */
export function buildBytes(chain: Chain, plan: TransactionRequest, expiresAt: Date | null, at: Date): TransactionBytes {
  const { bytes, call, nonce, lifetime } = chain.encode(plan)
  const staleAt = lifetime ? addMilliseconds(at, lifetime.validForMs) : null
  return {
    call,
    nonce,
    unsignedBytes: bytes,
    validUntil: staleAt && (expiresAt === null || staleAt < expiresAt) ? staleAt : expiresAt,
    blockhash: lifetime?.blockhash ?? null,
    lastValidBlockHeight: lifetime?.lastValidBlockHeight ?? null,
  }
}
