import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Clock } from '../clock.ts'
import { type CountedMove, WINDOW_MS } from '../limits/index.ts'
import { createCommitments, type Reservation } from './commitments.ts'
import { replayCommitments } from './replay-commitments.ts'
import { JOURNAL_SCHEMA } from './schema.ts'
import type { FinalOutcome, SignedTransaction } from './signed-transaction.ts'

/** A key that an action created. */
export interface CreatedKey {
  readonly address: string
  readonly signatureId: string
}

/**
 * The agent's write-ahead journal: each step is on disk before it takes effect. Writing methods return after the disk
 * has confirmed. One process at a time holds a journal.
 */
export interface Journal {
  /** Permanent id of this journal. Keys that actions create carry it in their name. */
  readonly id: string
  /** Pins a wallet's address on first use. Returns false when it was pinned to a different address. */
  pinWallet(walletId: number, address: string): boolean
  /**
   * Counts a move before its signature is requested, unless `refuse` names a reason against it; returns that reason.
   * `refuse` gets everything else that counts. Nothing happens between its decision and the write, and one process
   * holds the journal, so moves at the same time cannot exceed a limit together.
   */
  reserve(reservation: Reservation, refuse: Refuse): string | undefined
  /** Takes a reservation back: the signer refused, so no signature exists. */
  release(reservation: Reservation): void
  /** Everything that counts against limits over time. */
  counted(): readonly CountedMove[]
  /** The number of events. It never falls while the journal is the same. */
  size(): number
  /**
   * Binds one step of an approved operation to the transaction that first uses it. Returns false when another
   * transaction did: an approval releases each step once.
   */
  bindApproval(use: ApprovalUse, transactionId: number): boolean
  /** Also for refused bytes that are sent again. */
  recordSigned(entry: SignedTransaction): void
  /** Everything ever signed for one transaction of the service. */
  signedFor(transactionId: number): readonly SignedTransaction[]
  /** The venue of an operation's earlier transactions. */
  venueOf(operationId: number): string | undefined
  recordReported(entry: SignedTransaction, outcome: string): void
  isReported(entry: SignedTransaction): boolean
  recordOutcome(entry: SignedTransaction, ending: FinalOutcome): void
  /** The outcome, if it ended. Refused bytes may be sent again when the service issues them again. */
  outcomeOf(entry: SignedTransaction): FinalOutcome | undefined
  /** Signed and not ended, oldest first. */
  outstanding(): readonly SignedTransaction[]
  recordRefused(transactionId: number, reason: string): void
  /**
   * Binds an action's id to what it asks for, by a fingerprint, on first use. Returns false when it was bound to another
   * request: a service that lost writes may issue an id again.
   */
  bindAction(actionId: number, request: string): boolean
  recordKey(actionId: number, key: CreatedKey): void
  keyOf(actionId: number): CreatedKey | undefined
  close(): void
}

/** A step of an operation, by the challenge that its approvers signed. */
export interface ApprovalUse {
  readonly challenge: string
  /** What the bytes do, by the verifier. */
  readonly does: string
}

/** Why a move is refused, given what else counts and the time in unix milliseconds. */
type Refuse = (counted: readonly CountedMove[], now: number) => string | undefined

/** Longer than any limit's window, so that a clock that was wrong for some days loses nothing. */
const KEPT_MS = 7 * WINDOW_MS.day

/** Throws when another process holds the journal. */
export function openJournal(dir: string, clock: Pick<Clock, 'now'>): Journal {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, 'journal.sqlite')
  const db = lockJournal(path)
  const insert = db.prepare('insert into events (at, kind, ref, mark, data) values (?, ?, ?, ?, ?)')
  const byRef = db.prepare('select mark, data from events where kind = ? and ref = ? order by seq')
  const byMark = db.prepare('select data from events where kind = ? and mark = ? order by seq desc limit 1')
  const count = db.prepare('select coalesce(max(seq), 0) as size from events')
  const write = (kind: string, ref: number | null, mark: string | null, data: unknown) => {
    insert.run(clock.now().toISOString(), kind, ref, mark, JSON.stringify(data))
  }
  const first = (statement: StatementSync, kind: string, key: number | string): unknown => {
    const row = statement.get(kind, key)
    return row === undefined ? undefined : JSON.parse(String(row.data))
  }
  const id = (first(byMark, 'opened', 'first') as { id: string } | undefined)?.id ?? randomUUID()
  if (first(byMark, 'opened', 'first') === undefined) write('opened', null, 'first', { id })
  const open = new Map(readOutstanding(db).map((entry) => [entry.hash, entry]))
  const commitments = createCommitments()
  replayCommitments(db, commitments, clock.now().getTime() - KEPT_MS)
  const together = (act: () => void) => {
    db.exec('begin immediate')
    try {
      act()
      db.exec('commit')
    } catch (error) {
      db.exec('rollback')
      throw error
    }
  }

  return {
    id,
    pinWallet(walletId, address) {
      const pinned = first(byRef, 'wallet', walletId) as { address: string } | undefined
      if (pinned === undefined) write('wallet', walletId, address, { address })
      return pinned === undefined || pinned.address === address
    },
    reserve({ transactionId, key, move }, refuse) {
      const now = clock.now().getTime()
      commitments.prune(now - KEPT_MS)
      const reason = refuse(commitments.counted(key), now)
      if (reason !== undefined) return reason
      write('reserved', transactionId, key, { ...move, amount: String(move.amount), fee: String(move.fee) })
      commitments.reserve({ key, move }, now)
      return undefined
    },
    release({ transactionId, key }) {
      write('released', transactionId, key, {})
      commitments.release(key)
    },
    counted: () => commitments.counted(),
    bindApproval({ challenge, does }, transactionId) {
      const mark = `${challenge} ${does}`
      const bound = first(byMark, 'approval', mark) as { transactionId: number } | undefined
      if (bound === undefined) write('approval', transactionId, mark, { transactionId })
      return bound === undefined || bound.transactionId === transactionId
    },
    size: () => Number(count.get()?.size),
    recordSigned(entry) {
      together(() => {
        write('signed', entry.transactionId, entry.hash, entry)
        write('begun', entry.operationId, null, { venue: entry.venue })
      })
      open.set(entry.hash, entry)
      if (entry.reservation !== undefined) commitments.sign(entry.reservation, entry.hash)
    },
    signedFor: (transactionId) => byRef.all('signed', transactionId).map(({ data }) => JSON.parse(String(data))),
    venueOf: (operationId) => (first(byRef, 'begun', operationId) as { venue: string } | undefined)?.venue,
    recordReported: ({ transactionId, hash }, outcome) => write('reported', transactionId, hash, { outcome }),
    isReported: ({ hash }) => first(byMark, 'reported', hash) !== undefined,
    recordOutcome({ transactionId, hash, reservation }, ending) {
      write('ended', transactionId, hash, { ending })
      open.delete(hash)
      if (reservation !== undefined) commitments.end(reservation, hash, { ending, at: clock.now().getTime() })
    },
    outcomeOf: ({ hash }) => (first(byMark, 'ended', hash) as { ending: FinalOutcome } | undefined)?.ending,
    outstanding: () => [...open.values()],
    recordRefused: (transactionId, reason) => write('refused', transactionId, null, { reason }),
    bindAction(actionId, request) {
      const bound = first(byRef, 'action', actionId) as { request: string } | undefined
      if (bound === undefined) write('action', actionId, null, { request })
      return bound === undefined || bound.request === request
    },
    recordKey: (actionId, key) => write('key', actionId, key.address, key),
    keyOf: (actionId) => first(byRef, 'key', actionId) as CreatedKey | undefined,
    close: () => db.close(),
  }
}

/**
 * Opens the file and locks it until the process exits or dies. A commit returns after the disk has confirmed.
 */
function lockJournal(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 2_000 })
  try {
    db.exec(
      'pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full; begin immediate; commit;',
    )
    db.exec(JOURNAL_SCHEMA)
    return db
  } catch (error) {
    db.close()
    const isHeld = /locked|busy/i.test((error as Error).message)
    throw new Error(isHeld ? `${path} is held by another agent` : `${path} cannot be used: ${(error as Error).message}`)
  }
}

function readOutstanding(db: DatabaseSync): SignedTransaction[] {
  const rows = db
    .prepare(
      `select data from events signed where kind = 'signed'
       and not exists (select 1 from events e where e.kind in ('ended', 'signed') and e.mark = signed.mark
                       and e.seq > signed.seq) order by seq`,
    )
    .all()
  return rows.map(({ data }) => JSON.parse(String(data)))
}
