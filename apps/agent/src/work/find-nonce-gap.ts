import type { Verdict } from '@weir/verify'
import type { TransactionCounts } from '../chains/index.ts'
import type { Journal } from '../journal/index.ts'

type Verified = Extract<Verdict, { ok: true }>

/** Why bytes cannot land yet, in words for the log, and the nonces that it follows from. */
export interface NonceGap {
  readonly away: string
  readonly nonce: number
  readonly next: number
}

/**
 * Finds what must land before these bytes. Bytes with a nonce far ahead could be kept until the position has grown,
 * past the limits and approvals that were checked today (ADR 197). A whole position is measured on the newest state,
 * so everything with a lower nonce must be part of it. `counts`, read before the measurement, are null where bytes
 * have no nonce; then they expire within minutes.
 */
export function findNonceGap(
  journal: Pick<Journal, 'outstanding'>,
  counts: TransactionCounts | null,
  { envelope, meaning }: Verified,
): NonceGap | undefined {
  if (counts === null || envelope.family !== 'evm') return undefined
  const { nonce } = envelope
  if (meaning.does === 'withdraw' && meaning.amount === null) {
    if (nonce <= counts.included) return undefined
    const away = 'a whole position is not signed before earlier transactions of the wallet are included'
    return { away, nonce, next: counts.included }
  }
  const ours = new Set(
    journal
      .outstanding()
      .filter(({ blockchain, signer }) => blockchain === meaning.blockchain && signer === meaning.signer)
      .map((entry) => entry.nonce),
  )
  let next = counts.known
  while (ours.has(next)) next += 1
  return nonce <= next ? undefined : { away: 'not signed: an earlier nonce of the wallet is unused', nonce, next }
}
