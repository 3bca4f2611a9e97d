import type { Chain, UnsignedPlan } from '../chains/index.ts'
import { later } from '../kernel/index.ts'
import type { OperationTransaction } from './operation.ts'

/** What of a transaction changes when its bytes are built anew. */
export type Bytes = Pick<
  OperationTransaction,
  'call' | 'nonce' | 'unsignedBytes' | 'validUntil' | 'blockhash' | 'lastValidBlockHeight'
>

/** Unsigned bytes, and until when they are good: as long as their operation, or as their blockhash. Pure. */
export function buildBytes(chain: Chain, plan: UnsignedPlan, expiresAt: Date | null, at: Date): Bytes {
  const { bytes, call, nonce, lifetime } = chain.encode(plan)
  const staleAt = lifetime ? later(at, lifetime.validForMs) : null
  return {
    call,
    nonce,
    unsignedBytes: bytes,
    validUntil: staleAt && (expiresAt === null || staleAt < expiresAt) ? staleAt : expiresAt,
    blockhash: lifetime?.blockhash ?? null,
    lastValidBlockHeight: lifetime?.lastValidBlockHeight ?? null,
  }
}
