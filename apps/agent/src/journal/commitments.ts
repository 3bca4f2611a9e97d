import type { CountedMove, Move } from '../limits/index.ts'
import type { FinalOutcome } from './signed-transaction.ts'

/** A move that the agent is about to have signed. */
export interface Reservation {
  readonly transactionId: number
  /** Equal for bytes of which at most one can land, such as the same move with the same nonce and higher fees. */
  readonly key: string
  readonly move: Move
}

interface Commitment {
  move: Move
  /** Unix milliseconds: the latest of the last reservation and the landing. */
  at: number
  /** Reservations whose signature has not been journaled. */
  pending: number
  /** Signed bytes by hash, and whether they are outstanding. Refused ones are reserved again before they are sent. */
  readonly versions: Map<string, 'outstanding' | 'refused' | 'ended' | 'dead'>
}

/** What counts against limits over time, rebuilt from the journal's events in their order. */
export interface Commitments {
  reserve(reservation: Pick<Reservation, 'key' | 'move'>, at: number): void
  /** The signer refused: no signature exists. */
  release(key: string): void
  sign(key: string, hash: string): void
  end(key: string, hash: string, outcome: { readonly ending: FinalOutcome; readonly at: number }): void
  /** Everything that counts, except moves with this key. */
  counted(except?: string): readonly CountedMove[]
  /** Forgets what ended before this time. */
  prune(before: number): void
}

export function createCommitments(): Commitments {
  const all = new Map<string, Commitment>()
  const isGone = ({ pending, versions }: Commitment) =>
    pending === 0 && [...versions.values()].every((state) => state === 'dead')
  const canLand = ({ versions }: Commitment) => [...versions.values()].includes('outstanding')
  const change = (key: string, act: (commitment: Commitment) => void) => {
    const commitment = all.get(key)
    if (commitment === undefined) return
    act(commitment)
    if (isGone(commitment)) all.delete(key)
  }

  return {
    reserve({ key, move }, at) {
      const known = all.get(key) ?? { move, at, pending: 0, versions: new Map() }
      known.move = {
        ...move,
        amount: greater(move.amount, known.move.amount),
        fee: greater(move.fee, known.move.fee),
      }
      known.at = Math.max(known.at, at)
      known.pending += 1
      all.set(key, known)
    },
    release: (key) =>
      change(key, (known) => {
        known.pending -= 1
      }),
    sign: (key, hash) =>
      change(key, (known) => {
        const before = known.versions.get(hash)
        if (before === undefined || before === 'refused') known.pending -= 1
        known.versions.set(hash, 'outstanding')
      }),
    end: (key, hash, { ending, at }) =>
      change(key, (known) => {
        known.versions.set(hash, ending === 'dead' || ending === 'refused' ? ending : 'ended')
        if (ending === 'final') known.at = Math.max(known.at, at)
      }),
    counted: (except) =>
      [...all].flatMap(([key, known]) =>
        key === except ? [] : [{ ...known.move, at: canLand(known) ? null : known.at }],
      ),
    prune(before) {
      for (const [key, known] of all) if (known.at < before && !canLand(known)) all.delete(key)
    },
  }
}

function greater(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
