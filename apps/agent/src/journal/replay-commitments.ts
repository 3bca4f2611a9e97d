import type { DatabaseSync } from 'node:sqlite'
import type { Move } from '../limits/index.ts'
import type { Commitments } from './commitments.ts'
import type { FinalOutcome, SignedTransaction } from './signed-transaction.ts'

/**
 * Rebuilds what counts from the events of every transaction that has one after `since` (unix milliseconds), or that has
 * signed bytes without an outcome.
 */
export function replayCommitments(db: DatabaseSync, commitments: Commitments, since: number): void {
  const reservations = new Map<string, string>()
  const events = db
    .prepare(
      `select at, kind, mark, data from events
       where kind in ('reserved', 'released', 'signed', 'ended') and ref in (
         select ref from events where at > ? and kind in ('reserved', 'released', 'signed', 'ended')
         union
         select ref from events signed where kind = 'signed' and not exists (
           select 1 from events ended where ended.kind = 'ended' and ended.mark = signed.mark and ended.seq > signed.seq))
       order by seq`,
    )
    .all(new Date(since).toISOString())
  for (const event of events) {
    const [at, mark, data] = [Date.parse(String(event.at)), String(event.mark), JSON.parse(String(event.data))]
    switch (event.kind) {
      case 'reserved': {
        const move = { ...data, amount: BigInt(data.amount), fee: BigInt(data.fee) } as Move
        commitments.reserve({ key: mark, move }, at)
        break
      }
      case 'released':
        commitments.release(mark)
        break
      case 'signed': {
        const { reservation } = data as SignedTransaction
        if (reservation === undefined) break
        reservations.set(mark, reservation)
        commitments.sign(reservation, mark)
        break
      }
      default: {
        const { ending } = data as { ending: FinalOutcome }
        const reservation = reservations.get(mark)
        if (reservation !== undefined) commitments.end(reservation, mark, { ending, at })
      }
    }
  }
}
