import { maxAmount, mulDivDown } from '../../kernel/index.ts'

/**
 * The arithmetic of one position, without database or chain (rule 6).
 *
 * `value` is the position's part of the ledger's `deployed` account: the value of `shares` at `price`, the last one
 * posted. Yield between two readings is the number of shares times the change of price, and nothing else. Every
 * function returns the new position and what moved, so that the caller can post exactly that.
 */
export interface Position {
  readonly shares: bigint
  /** The amount deposited and not withdrawn, in token base units. */
  readonly principal: bigint
  readonly value: bigint
  readonly price: bigint
  /** Yield realized by withdrawals and external movements of shares. */
  readonly realizedYield: bigint
}

/** The value of shares at a price in token base units, rounded as the protocol rounds. */
export type ShareValuation = (shares: bigint, price: bigint) => bigint

export interface AccruedPosition {
  readonly position: Position
  /** The change of value that the price explains, including the protocol's rounding. May be negative. */
  readonly yield: bigint
}

export const EMPTY_POSITION: Position = { shares: 0n, principal: 0n, value: 0n, price: 0n, realizedYield: 0n }

/** A new price reading for the same shares. */
export function accrue(position: Position, price: bigint, worth: ShareValuation): AccruedPosition {
  const value = worth(position.shares, price)
  return { position: { ...position, value, price }, yield: value - position.value }
}

/** A position that a movement of the wallet changed. */
export interface MovedPosition extends AccruedPosition {
  /** What the movement itself cost: paid in beyond the value of the shares, or missing from what they were worth. */
  readonly fee: bigint
}

/** `assets` went in and bought `shares`. */
export function deposit(
  position: Position,
  moved: { assets: bigint; shares: bigint; price: bigint },
  worth: ShareValuation,
): MovedPosition {
  const before = accrue(position, moved.price, worth)
  const shares = position.shares + moved.shares
  const value = worth(shares, moved.price)
  const gained = value - before.position.value - moved.assets
  const fee = feeIn(gained, moved.assets)
  return {
    position: { ...before.position, shares, value, principal: position.principal + moved.assets },
    yield: before.yield + gained + fee,
    fee,
  }
}

/** The fee in what a movement gained, which is negative where it cost something; 0 within rounding. */
const feeIn = (gained: bigint, assets: bigint): bigint => (isBeyondRounding(-gained, assets) ? -gained : 0n)

/** Protocols round to their own units: less than a millionth of an amount, or ten base units, is no loss and no fee. */
export function isBeyondRounding(missing: bigint, amount: bigint): boolean {
  return missing > maxAmount(amount / 1_000_000n, 10n)
}

/** The part of a change of value that is a loss, as a positive amount: the share price fell. */
export const lossIn = (change: AccruedPosition['yield'], value: bigint): bigint =>
  isBeyondRounding(-change, value) ? -change : 0n

/**
 * `assets` went in and bought shares that were posted as external, for `externalValue`, before their deposit was found:
 * no share comes now. What they were worth beyond `assets` was earned since the deposit and is no principal; of those
 * that have left again it is realized.
 */
export function attributeDeposit(
  position: Position,
  { assets, shares, externalValue }: AttributedMovement,
): MovedPosition {
  const gained = externalValue - assets
  const unrealized = position.shares >= shares ? gained : mulDivDown(gained, position.shares, shares)
  const principal = position.principal - unrealized
  const realizedYield = position.realizedYield + gained - unrealized
  return { position: { ...position, principal, realizedYield }, yield: gained, fee: 0n }
}

/** A movement, and the value at which its shares were posted as external when a reconciliation found them. */
export interface AttributedMovement {
  readonly assets: bigint
  readonly shares: bigint
  readonly externalValue: bigint
}

export interface ExternallyMovedPosition extends AccruedPosition {
  /** Value that came (positive) or left (negative) without an operation. */
  readonly external: bigint
}

/**
 * `assets` came out and `shares` left; principal and yield leave in proportion to the shares (contract 8). Shares
 * beyond the known ones came without an operation and unseen until now: they count as principal, never as yield (rule
 * 6).
 */
export function withdraw(
  position: Position,
  moved: { assets: bigint; shares: bigint; price: bigint },
  worth: ShareValuation,
): ExternallyMovedPosition & MovedPosition {
  const totalShares = maxAmount(position.shares, moved.shares)
  const before = applyExternalMovement(position, totalShares, moved.price, worth)
  const shares = totalShares - moved.shares
  const value = worth(shares, moved.price)
  const principal = remainingPrincipal(before.position, shares)
  const returned = before.position.principal - principal
  const gained = value - before.position.value + moved.assets
  const fee = feeIn(gained, moved.assets)
  return {
    position: {
      ...before.position,
      shares,
      value,
      principal,
      realizedYield: position.realizedYield + moved.assets - returned,
    },
    yield: before.yield + gained + fee,
    fee,
    external: before.external,
  }
}

/**
 * `assets` came out for shares that were posted as gone, for `externalValue`, before their withdrawal was found: no share
 * leaves now. The difference was earned, or not earned, until they were posted, and is realized like the rest of it.
 */
export function attributeWithdrawal(
  position: Position,
  { assets, externalValue }: Omit<AttributedMovement, 'shares'>,
): ExternallyMovedPosition & MovedPosition {
  return {
    position: { ...position, realizedYield: position.realizedYield + assets - externalValue },
    yield: assets - externalValue,
    fee: 0n,
    external: externalValue,
  }
}

/** The chain shows other shares than the operations explain: an external deposit to or withdrawal from the position. */
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
  // Shares that left take their part of the yield with them; it stays earned (rule 6).
  const realizedYield = position.realizedYield + principal - position.principal - external
  return { position: { ...before.position, shares, value, principal, realizedYield }, yield: before.yield, external }
}

function remainingPrincipal(position: Position, shares: bigint): bigint {
  return position.shares === 0n ? 0n : mulDivDown(position.principal, shares, position.shares)
}
