import type { Chain, TransactionRequest } from '../../chains/index.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import type { TransactionBytes } from '../lifecycle/states/transaction.ts'

/** Unsigned bytes and how long they are valid: until their operation or their blockhash expires. Pure. */
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
