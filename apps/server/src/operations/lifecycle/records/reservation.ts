import { type LedgerEntry, postings } from '../../../ledger/index.ts'

/** The part of a wallet's balance that an unfinished supply reserves. Base units. */
export interface Reservation {
  readonly organizationId: number
  readonly operationId: number
  readonly walletId: number
  readonly tokenAddress: string
  readonly amount: bigint
  /** The part that the ledger has moved to `reserved`; the rest is on chain, but not final yet (rule 7). */
  readonly covered: bigint
}

/** The ledger entry that reserves an amount. */
export function reserveEntry(reservation: Reservation, at: Date): LedgerEntry {
  return entry('reserve', reservation, -reservation.covered, at)
}

/** The ledger entry that releases it. A source occurs once in the ledger, so a reservation is released only once. */
export function releaseEntry(reservation: Reservation, at: Date): LedgerEntry {
  return entry('release', reservation, reservation.covered, at)
}

function entry(kind: 'reserve' | 'release', reservation: Reservation, toAvailable: bigint, at: Date): LedgerEntry {
  return {
    organizationId: reservation.organizationId,
    kind,
    source: `${kind}:${reservation.operationId}`,
    operationId: reservation.operationId,
    at,
    postings: postings(reservation.walletId, reservation.tokenAddress, {
      available: toAvailable,
      reserved: -toAvailable,
    }),
  }
}
