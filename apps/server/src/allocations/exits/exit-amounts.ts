import { maxAmount } from '../../kernel/index.ts'

/** The arithmetic of one exit, without database or chain. Base units of the token. */
export interface ExitAmounts {
  /** Waits, at its current value. */
  readonly pending: bigint
  /** Can be claimed. */
  readonly claimable: bigint
}

/** What the transactions of a block changed, by their events. */
export interface ExitMoves {
  /** Came from the wallet's own position. */
  readonly requested: bigint
  /** Came from somebody else. */
  readonly received: bigint
  /** Paid to the wallet. */
  readonly claimed: bigint
  /** Paid to somebody else. */
  readonly claimedElsewhere: bigint
}

export const NO_EXIT: ExitAmounts = { pending: 0n, claimable: 0n }

export interface ChangedExit {
  readonly amounts: ExitAmounts
  /** Changes of the ledger's accounts. With what left the position (`deployed`: −requested), they sum to zero. */
  readonly exiting: bigint
  readonly available: bigint
  readonly external: bigint
  readonly yield: bigint
  /** What the exit gained, or lost, since the last reading. */
  readonly earned: bigint
}

export interface ExitChange {
  readonly before: ExitAmounts
  readonly moves: ExitMoves
  /** What the chain shows after these moves; `undefined`: not read, and the moves alone decide. */
  readonly reading: ExitAmounts | undefined
  /**
   * Whether a difference that no move explains came from, or went to, somebody else: amounts that never change in
   * value, and an exit that is seen for the first time. Otherwise it is a gain or a loss.
   */
  readonly isDifferenceExternal: boolean
}

/** The exit after a block, and the postings that make the ledger equal the chain. Pure. */
export function changeExit({ before, moves, reading, isDifferenceExternal }: ExitChange): ChangedExit {
  const { requested, received, claimed, claimedElsewhere } = moves
  const held = before.pending + before.claimable
  const explained = held + requested + received - claimed - claimedElsewhere
  const amounts = reading ?? withoutReading(before, moves, explained)
  const value = amounts.pending + amounts.claimable
  const difference = value - explained
  const foreign = isDifferenceExternal ? difference : 0n
  const earned = difference - foreign
  return {
    amounts,
    exiting: value - held,
    available: claimed,
    external: claimedElsewhere - received - foreign,
    yield: -earned,
    earned,
  }
}

/** What was claimed was claimable; the rest waits. */
function withoutReading({ claimable }: ExitAmounts, moves: ExitMoves, explained: bigint): ExitAmounts {
  const total = maxAmount(explained, 0n)
  const left = maxAmount(claimable - moves.claimed - moves.claimedElsewhere, 0n)
  const stillClaimable = left < total ? left : total
  return { pending: total - stillClaimable, claimable: stillClaimable }
}
