import { createHash } from 'node:crypto'
import type { Verdict } from '@weir/verify'
import type { Reservation } from '../journal/index.ts'
import { exceededLimit, type Move } from '../limits/index.ts'
import type { AgentTransaction } from '../service/work.ts'
import type { Parts } from './parts.ts'

type Verified = Extract<Verdict, { ok: true }>

/** What verified bytes count as against limits over time. */
export function reservationOf(transaction: AgentTransaction, verified: Verified): Reservation {
  const { id: transactionId, unsignedTx, metadata } = transaction
  const { meaning, envelope, moves } = verified
  const move: Move = {
    blockchain: meaning.blockchain,
    token: metadata.token,
    venue: meaning.venue,
    wallet: meaning.signer,
    does: meaning.does,
    amount: moves,
    fee: envelope.maxCost + (envelope.family === 'svm' ? envelope.rent : 0n),
  }
  // At most one transaction lands per nonce; on Solana each message can land.
  const one = envelope.family === 'evm' ? envelope.nonce : createHash('sha256').update(unsignedTx).digest('hex')
  const key = [move.blockchain, move.wallet, one, move.does, move.token, move.venue].join(' ')
  return { transactionId, key, move }
}

/** Reserves in the journal what the bytes move; returns why a limit refuses it, if one does. */
export function reserveWithinLimits(parts: Parts, reservation: Reservation): string | undefined {
  const { journal, limits } = parts
  return journal.reserve(reservation, (counted, now) => exceededLimit(limits, reservation.move, counted, now))
}
