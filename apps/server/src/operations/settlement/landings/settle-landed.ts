import {
  attributeDeposit,
  attributeWithdrawal,
  currentPosition,
  deposit,
  emitLossesAndFeesOf,
  FIND_ALLOCATION,
  type LossAndFee,
  lossAndFeeEntries,
  lossIn,
  type MovedPosition,
  wasPostedAfter,
  withdraw,
} from '../../../allocations/index.ts'
import type { IncludedTransaction } from '../../../chains/index.ts'
import { assert, maxAmount, minAmount } from '../../../kernel/index.ts'
import { POST, postings } from '../../../ledger/index.ts'
import { type Movement, type Strategy, venueFor } from '../../../venues/index.ts'
import { UNFINISHED_ON_TOKEN } from '../../lifecycle/reads/read-operations.ts'
import type { Operation } from '../../lifecycle/states/operation.ts'
import { isUnfinished } from '../../lifecycle/states/operation-states.ts'
import type { OperationTransaction } from '../../lifecycle/states/transaction.ts'
import { abortUnissued, isUnissued } from '../../lifecycle/transitions/abort-unissued.ts'
import { ADVANCE_OPERATIONS } from '../../lifecycle/transitions/advance-operations.ts'
import { ADVANCE_TRANSACTION } from '../../lifecycle/transitions/advance-transactions.ts'
import type { ShareSnapshot } from '../discovery/read-wallets.ts'
import { findExternalPosting } from '../reconciliation/find-external-posting.ts'
import { reclassify } from '../reconciliation/reclassify.ts'
import { withdrawnApy } from '../shared/record-actual-apy.ts'
import { saveSettledPosition } from '../shared/save-settled-position.ts'
import { BALANCES, RECORD_APY } from '../shared/settlement-calls.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'

/**
 * Settles a successful, final transaction of an operation by the amounts in its events, never by the plan (rule 7). The
 * operation completes with its last transaction; if it had ended, this is a late landing (rule 2).
 */
export async function settleLanded(
  settlement: SettlementContext,
  operation: Operation,
  transaction: OperationTransaction,
  included: IncludedTransaction,
): Promise<void> {
  const { batcher, block, at } = settlement
  const inclusion = { blockNumber: included.blockNumber, blockHash: block.hash, time: block.time }
  const change = { event: 'confirmed', block: inclusion, txHash: included.hash, at } as const
  await batcher.call(ADVANCE_TRANSACTION, { operation, transaction, change })
  if (transaction.kind === 'approve' || transaction.kind === 'approve_reset') return

  const event = isUnfinished(operation.state) ? 'all_final' : 'landed_late'
  if (transaction.kind === 'revoke') {
    await batcher.call(ADVANCE_OPERATIONS, { requests: [{ operation, event, settledAmount: 0n }], at })
    return
  }

  const shares = settlement.snapshot.shares.find(({ strategy }) => strategy.id === operation.strategyId)
  assert(shares, 'the wallet snapshot includes the strategy of a settling transaction')
  const venue = venueFor(shares.strategy.protocol)
  const movement = venue.netMovement(shares.strategy, transaction.sender, included, shares.price)
  const isExit = transaction.kind === 'exit_request' || transaction.kind === 'exit_claim'
  const settledAmount = isExit ? exitAmount(shares, transaction.sender, included) : movement?.assets
  const advanced = await batcher.call(ADVANCE_OPERATIONS, {
    requests: [{ operation, event, ...settledAmountOf(settledAmount) }],
    at,
  })
  if (event === 'landed_late') await abortUnissuedAfterLateLanding(settlement, shares.strategy)
  // settle-exits.ts posts what an exit moved, no matter who requested or claimed it.
  if (isExit && !movement) return
  const reserved = advanced.reservationsToSettle.reduce((sum, reservation) => sum + reservation.covered, 0n)
  await postMovement(settlement, { operation, strategy: shares.strategy, movement, reserved, priceRead: shares.price })
}

const settledAmountOf = (amount: bigint | undefined) => (amount === undefined ? {} : { settledAmount: amount })

/** What a request or a claim moved: requested, or paid to the wallet. */
function exitAmount({ strategy, price }: ShareSnapshot, owner: string, included: IncludedTransaction): bigint {
  const venue = venueFor(strategy.protocol)
  const moved = venue.exits?.movement(strategy, owner, included)
  if (!moved) return 0n
  return moved.claimed + (moved.requestedAssets ?? venue.valueOf(moved.requestedShares, price ?? 0n))
}

/**
 * A late landing no longer has a reservation: aborts operations of this wallet and token whose bytes were never issued
 * (rule 2). After a supply they would spend money that is gone; after a withdrawal they would deploy again what it
 * returned, or withdraw a second time for a buffer that is already filled.
 */
async function abortUnissuedAfterLateLanding(
  { batcher, snapshot: { wallet }, at }: SettlementContext,
  { tokenAddress }: Strategy,
): Promise<void> {
  const unfinished = await batcher.call(UNFINISHED_ON_TOKEN, { wallet, tokenAddress })
  await abortUnissued(batcher, unfinished.filter(isUnissued), 'An earlier operation of the wallet landed late.', at)
}

interface LandedMovement {
  readonly operation: Operation
  readonly strategy: Strategy
  readonly movement: Movement | undefined
  readonly reserved: bigint
  readonly priceRead: bigint | undefined
}

/** Posts the movement with the yield up to now, and settles the reservation in the same entry. */
async function postMovement(
  settlement: SettlementContext,
  { operation, strategy, movement, reserved, priceRead }: LandedMovement,
): Promise<void> {
  const { batcher, block, snapshot, at } = settlement
  const { wallet } = snapshot
  const valueShares = venueFor(strategy.protocol).valueOf
  const allocation = await batcher.call(FIND_ALLOCATION, { wallet, strategyId: strategy.id })
  const before = currentPosition(allocation)
  const isPostedLater = wasPostedAfter(allocation, block)
  const price = isPostedLater ? before.price : (priceRead ?? before.price)
  const entry = {
    organizationId: wallet.organizationId,
    source: `settle:${operation.operationId}`,
    operationId: operation.operationId,
    blockNumber: block.number,
    at,
  }
  const reclassified = movement && (await reclassify(settlement, { operation, strategy, movement }))
  const postEntry = (amounts: Parameters<typeof postings>[2], kind: 'supply' | 'unwind', lost?: LossAndFee) =>
    batcher.call(POST, [
      { ...entry, kind, postings: postings(wallet.walletId, strategy.tokenAddress, amounts) },
      ...(reclassified ? [reclassified.entry] : []),
      ...(lost ? lossAndFeeEntries(lost) : []),
    ])
  // A price from another block may differ by what was earned in between, so the cost of a movement is unknown then.
  const isExact = snapshot.isAtBlock && priceRead !== undefined && !isPostedLater
  const lossesOf = async (moved: MovedPosition, allocationId: number): Promise<LossAndFee> => {
    const { operationId, organizationId } = entry
    const { walletId } = wallet
    const place = { organizationId, walletId, strategyId: strategy.id, tokenAddress: strategy.tokenAddress }
    const loss = isExact ? lossIn(moved.yield, before.value) : 0n
    const what = { allocationId, position: moved.position, loss, fee: isExact ? moved.fee : 0n }
    const lost = { ...place, ...what, operationId, blockNumber: block.number, cause: `settle:${operationId}`, at }
    await emitLossesAndFeesOf(batcher, [lost])
    return lost
  }

  if (!movement) return postEntry({ reserved: -reserved, available: reserved }, 'supply')
  const externalValue = await findExternalPosting(settlement, { operation, strategy, movement })
  // What was posted as external keeps its price, and the time of its price.
  const priced =
    externalValue === undefined ? settlement : { ...settlement, snapshot: { ...snapshot, pricedAt: block.time } }
  if (movement.direction === 'out') {
    const moved =
      externalValue === undefined
        ? withdraw(before, { ...movement, price }, valueShares)
        : attributeWithdrawal(before, { ...movement, externalValue })
    const earned = movement.assets - moved.external
    const apy = withdrawnApy({ before, after: moved.position, assets: earned, allocation, block })
    await batcher.call(RECORD_APY, { operation, apy })
    const allocationId = await saveSettledPosition(priced, strategy.id, allocation, moved.position)
    const lost = await lossesOf(moved, allocationId)
    const earnedNow = moved.yield - moved.fee + lost.loss + lost.fee
    return postEntry(
      {
        available: movement.assets + reserved,
        reserved: -reserved,
        deployed: earnedNow + moved.external - movement.assets,
        external: -moved.external,
        yield: -earnedNow,
      },
      'unwind',
      lost,
    )
  }
  await batcher.call(RECORD_APY, { operation, apy: strategy.apy })
  const moved =
    externalValue === undefined
      ? deposit(before, { ...movement, price }, valueShares)
      : attributeDeposit(before, { ...movement, externalValue })
  const allocationId = await saveSettledPosition(priced, strategy.id, allocation, moved.position)
  const lost = await lossesOf(moved, allocationId)
  const earned = moved.yield - moved.fee + lost.loss + lost.fee
  const balance = (await batcher.call(BALANCES, wallet)).find(
    ({ tokenAddress }) => tokenAddress === strategy.tokenAddress,
  )
  const free = (balance?.available ?? 0n) + (reclassified?.available ?? 0n)
  // The unreserved part is taken from `available`. Any rest arrived from outside in this same block, or was reserved
  // for another operation (after a late landing): the reconciliation that follows posts it or opens a break.
  const fromAvailable = minAmount(maxAmount(movement.assets - reserved, 0n), free)
  const unused = maxAmount(reserved - movement.assets, 0n)
  const uncovered = movement.assets - (reserved - unused) - fromAvailable
  await postEntry(
    {
      reserved: -reserved,
      available: unused - fromAvailable,
      external: (externalValue ?? 0n) - uncovered,
      deployed: movement.assets + earned - (externalValue ?? 0n),
      yield: -earned,
    },
    'supply',
    lost,
  )
}
