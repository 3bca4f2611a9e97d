import { type LedgerEntry, postings } from '../../ledger/index.ts'

/** What an unfinished supply holds back of a wallet's balance. Base units. */
export interface Reservation {
  readonly organizationId: number
  readonly operationId: number
  readonly walletId: number
  readonly tokenAddress: string
  readonly amount: bigint
  /** What of it the ledger holds as reserved; the rest was seen on chain, but is not final yet (rule 7). */
  readonly covered: bigint
}

/** Holds an amount back. */
export function reserveEntry(reservation: Reservation, at: Date): LedgerEntry {
  return entry('reserve', reservation, -reservation.covered, at)
}

/** Gives it back. Each source stands once in the ledger, so that a reservation is released once. */
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
