import { maxAmount, mulDivDown } from '../../kernel/index.ts'

/**
 * The arithmetic of one position, without database or chain (rule 6).
 *
 * `value` is what the ledger's `deployed` account holds for it: the value of `shares` at `price`, the last one posted.
 * Yield between two readings is the shares held times the change of price, and nothing else. Every function returns the
 * position afterwards and what moved, so that the caller can post exactly that.
 */
export interface Position {
  readonly shares: bigint
  /** What was put in and not taken out again, in token base units. */
  readonly principal: bigint
  readonly value: bigint
  readonly price: bigint
  /** Yield that left with shares: that withdrawals brought home, or that was taken out past us. */
  readonly realizedYield: bigint
}

/** Shares and price to token base units, as the protocol rounds. */
export type ShareValuation = (shares: bigint, price: bigint) => bigint

export interface AccruedPosition {
  readonly position: Position
  /** Change of value that the price explains; rounding of the protocol included. May be negative. */
  readonly yield: bigint
}

export const EMPTY_POSITION: Position = { shares: 0n, principal: 0n, value: 0n, price: 0n, realizedYield: 0n }

/** A new price reading for the same shares. */
export function accrue(position: Position, price: bigint, worth: ShareValuation): AccruedPosition {
  const value = worth(position.shares, price)
  return { position: { ...position, value, price }, yield: value - position.value }
}

/** `assets` went in and brought `shares`. */
export function deposit(
  position: Position,
  moved: { assets: bigint; shares: bigint; price: bigint },
  worth: ShareValuation,
): AccruedPosition {
  const before = accrue(position, moved.price, worth)
  const shares = position.shares + moved.shares
  const value = worth(shares, moved.price)
  return {
    position: { ...before.position, shares, value, principal: position.principal + moved.assets },
    yield: before.yield + value - before.position.value - moved.assets,
  }
}

export interface ExternallyMovedPosition extends AccruedPosition {
  /** Value that came (positive) or went (negative) without an operation of ours. */
  readonly external: bigint
}

/**
 * `assets` came out and `shares` went; principal and yield leave in proportion to the shares (contract 8). More shares
 * than there were had come without an operation of ours, unseen until now: as principal, never as yield (rule 6).
 */
export function withdraw(
  position: Position,
  moved: { assets: bigint; shares: bigint; price: bigint },
  worth: ShareValuation,
): ExternallyMovedPosition {
  const held = maxAmount(position.shares, moved.shares)
  const before = applyExternalMovement(position, held, moved.price, worth)
  const shares = held - moved.shares
  const value = worth(shares, moved.price)
  const principal = remainingPrincipal(before.position, shares)
  const returned = before.position.principal - principal
  return {
    position: {
      ...before.position,
      shares,
      value,
      principal,
      realizedYield: position.realizedYield + moved.assets - returned,
    },
    yield: before.yield + value - before.position.value + moved.assets,
    external: before.external,
  }
}

/** The chain shows other shares than the operations explain: an external deposit or withdrawal of the position. */
export function applyExternalMovement(
  position: Position,
  shares: bigint,
  price: bigint,
  worth: ShareValuation,
): ExternallyMovedPosition {
  const before = accrue(position, price, worth)
  const value = worth(shares, price)
  const external = value - before.position.value
  const principal = shares >= position.shares ? position.principal + external : remainingPrincipal(position, shares)
  // What left takes its part of the yield with it; that was earned all the same (rule 6).
  const realizedYield = position.realizedYield + principal - position.principal - external
  return { position: { ...before.position, shares, value, principal, realizedYield }, yield: before.yield, external }
}

function remainingPrincipal(position: Position, shares: bigint): bigint {
  return position.shares === 0n ? 0n : mulDivDown(position.principal, shares, position.shares)
}
