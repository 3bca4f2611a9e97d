import type { CallBatcher } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import { POST, postings } from '../../ledger/index.ts'
import { type ExitMovement, type ExitReading, type Strategy, venueFor } from '../../venues/index.ts'
import { SCHEDULE_EVALUATION } from '../../wallets/index.ts'
import { wasPostedAfter } from '../positions/allocation.ts'
import { emitLossesAndFeesOf, type LossAndFee, lossAndFeeEntries } from '../positions/losses-and-fees.ts'
import { EMPTY_POSITION, lossIn, withdraw } from '../positions/position.ts'
import { FIND_ALLOCATION, type PositionKey, SAVE_POSITION } from '../positions/save-position.ts'
import { ADVANCE_ALLOCATION } from '../positions/write-allocation.ts'
import { changeExit, type ExitMoves, NO_EXIT } from './exit-amounts.ts'
import { FIND_LATEST_EXIT, LOST_BLOCK, SAVE_EXIT } from './write-exits.ts'

export interface ExitAtBlock {
  readonly wallet: PositionKey['wallet']
  readonly strategy: Strategy
  /** By the events of the block's transactions, each on its own. */
  readonly movements: readonly ExitMovement[]
  /** What the chain shows after the block; `undefined`: not read. */
  readonly reading: ExitReading | undefined
  /** Price per share after the block; `undefined`: not read. */
  readonly price: bigint | undefined
  /** When that price was in force, if that is later than the block. */
  readonly pricedAt?: Date | undefined
  /** Whether a request of the block is not the rebalancer's. */
  readonly isOnRequest: boolean
  readonly block: { readonly number: number; readonly hash: string; readonly time: Date }
  readonly at: Date
}

/**
 * Brings the exit of a wallet in a strategy, its position and the ledger to what a final block shows: what became a
 * request left the position, what was claimed came into the wallet, and any other change of value is yield. Requests
 * and claims outside of Weir count in the same way. Does nothing where there is nothing to change. The caller holds the
 * wallet's lock and processes its blocks in order.
 */
export async function recordExit(calls: CallBatcher, seen: ExitAtBlock): Promise<void> {
  const { wallet, strategy, reading, block, at } = seen
  const key = { wallet, strategyId: strategy.id }
  const venue = venueFor(strategy.protocol)
  assert(venue.exits !== undefined, 'the strategy has exits')
  const latest = await calls.call(FIND_LATEST_EXIT, key)
  const before = latest?.state === 'claimed' ? undefined : latest
  // A block that was settled before is settled again when one of its transactions was found late.
  const movements = latest && latest.readBlock >= block.number ? [] : seen.movements
  const held = before ?? NO_EXIT
  const isUnchanged = reading?.pending === held.pending && reading.claimable === held.claimable
  if (movements.length === 0 && (reading === undefined || (isUnchanged && !before))) return
  const allocation = await calls.call(FIND_ALLOCATION, key)
  const position = allocation?.position ?? EMPTY_POSITION
  const isPostedLater = wasPostedAfter(allocation, block)
  const price = isPostedLater ? position.price : (seen.price ?? position.price)
  const left = sharesLeft(movements, (shares) => venue.valueOf(shares, price))
  const taken = withdraw(position, { assets: left.requested, shares: left.shares, price }, venue.valueOf)
  const changed = changeExit({
    before: held,
    moves: left,
    reading,
    isDifferenceExternal:
      venue.exits.isFixedAtRequest || (!before && left.requested === 0n) || before?.readBlock === LOST_BLOCK,
  })
  const total = changed.amounts.pending + changed.amounts.claimable
  const isExiting = total > 0n
  if (!before && !isExiting && movements.length === 0) return
  await calls.call(SAVE_EXIT, {
    ...key,
    before,
    after: {
      ...changed.amounts,
      requested: (before?.requested ?? 0n) + left.requested + left.received,
      claimed: (before?.claimed ?? 0n) + left.claimed + left.claimedElsewhere,
      isOnRequest: before?.isOnRequest === true || (seen.isOnRequest && left.requested > 0n),
      claimableAt: reading ? reading.claimableAt : (before?.claimableAt ?? null),
      readBlock: block.number,
    },
    time: { chainTime: block.time, at },
  })
  const moved = left.shares > 0n ? taken.position : position
  // Without a request no price is posted, so yield still counts from the last posting; an emptied position ends here.
  const isUnread = allocation !== undefined && left.shares === 0n && (moved.shares > 0n || isExiting)
  const isKept = allocation !== undefined || isExiting || moved.shares > 0n || changed.earned !== 0n
  const update = {
    ...key,
    before: allocation,
    position: { ...moved, realizedYield: moved.realizedYield + changed.earned },
    time: isUnread ? { chainTime: allocation.postedAt, at } : { chainTime: block.time, pricedAt: seen.pricedAt, at },
    isExiting,
  }
  const saved = isKept ? await calls.call(SAVE_POSITION, update) : undefined
  if (isExiting && moved.shares === 0n) await calls.call(ADVANCE_ALLOCATION, { ...key, event: 'exiting' })
  // A price from another block may differ by what was earned in between: then nothing says what the request cost.
  const isExact = !isPostedLater && left.shares > 0n && seen.price !== undefined && reading !== undefined
  const lost = lossesOf(seen, {
    allocationId: saved?.allocationId,
    position: update.position,
    loss: isExact ? lossIn(taken.yield, position.value) : 0n,
    fee: isExact ? taken.fee : 0n,
    lossOfExit: lossIn(changed.earned, held.pending + held.claimable),
  })
  const [ofPosition, ofExit] = lost
  await emitLossesAndFeesOf(calls, lost)
  const earned = taken.yield - taken.fee + (ofPosition?.loss ?? 0n) + (ofPosition?.fee ?? 0n)
  const lossOfExit = ofExit?.loss ?? 0n
  const fromPosition =
    left.shares > 0n
      ? { deployed: earned + taken.external - left.requested, external: -taken.external, yield: -earned }
      : { deployed: -left.requested, external: 0n, yield: 0n }
  await calls.call(POST, [
    {
      organizationId: wallet.organizationId,
      kind: 'exit',
      source: `exit:${block.hash}:${wallet.walletId}:${strategy.id}:${held.pending}:${held.claimable}:${at.getTime()}`,
      blockNumber: block.number,
      at,
      postings: postings(wallet.walletId, strategy.tokenAddress, {
        available: changed.available,
        deployed: fromPosition.deployed,
        exiting: changed.exiting + lossOfExit,
        external: changed.external + fromPosition.external,
        yield: changed.yield - lossOfExit + fromPosition.yield,
      }),
    },
    ...lost.flatMap(lossAndFeeEntries),
  ])
  const target = {
    organizationId: wallet.organizationId,
    walletId: wallet.walletId,
    tokenAddress: strategy.tokenAddress,
  }
  if (changed.amounts.claimable !== held.claimable || movements.length > 0)
    await calls.call(SCHEDULE_EVALUATION, { changed: [target], at })
}

interface FoundLosses extends Pick<LossAndFee, 'position' | 'loss' | 'fee'> {
  /** Undefined: nothing was kept, and nothing can have lost value. */
  readonly allocationId: number | undefined
  readonly lossOfExit: bigint
}

/** What the position lost or paid, and what the exit lost. */
function lossesOf(
  { wallet: { organizationId, walletId }, strategy, block, at }: ExitAtBlock,
  { allocationId, lossOfExit, position, loss, fee }: FoundLosses,
): LossAndFee[] {
  if (allocationId === undefined) return []
  const place = { organizationId, walletId, strategyId: strategy.id, tokenAddress: strategy.tokenAddress }
  const cause = `exit:${block.hash}:${at.getTime()}`
  const shared = { ...place, allocationId, position, blockNumber: block.number, cause, at }
  return [
    { ...shared, loss, fee },
    { ...shared, account: 'exiting', loss: lossOfExit, fee: 0n },
  ]
}

/** The movements as amounts: a request without a stated amount is worth its shares. */
function sharesLeft(
  movements: readonly ExitMovement[],
  worth: (shares: bigint) => bigint,
): ExitMoves & { readonly shares: bigint } {
  const sum = { requested: 0n, received: 0n, claimed: 0n, claimedElsewhere: 0n, shares: 0n }
  for (const { requestedShares, requestedAssets, receivedShares, claimed, claimedElsewhere } of movements) {
    sum.shares += requestedShares
    sum.requested += requestedAssets ?? worth(requestedShares)
    sum.received += worth(receivedShares)
    sum.claimed += claimed
    sum.claimedElsewhere += claimedElsewhere
  }
  return sum
}
