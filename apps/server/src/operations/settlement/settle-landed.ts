import { currentPosition, deposit, findOpenAllocation, withdraw } from '../../allocations/index.ts'
import type { IncludedTransaction } from '../../chains/index.ts'
import { assert, maxAmount, minAmount } from '../../kernel/index.ts'
import { balancesOf, post, postings } from '../../ledger/index.ts'
import { type Movement, type Strategy, venueFor } from '../../venues/index.ts'
import { abortUnissued, isUnissued } from '../lifecycle/abort-unissued.ts'
import { advanceOperations } from '../lifecycle/advance-operations.ts'
import { moveTransaction } from '../lifecycle/move-transactions.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { isUnfinished } from '../lifecycle/operation-states.ts'
import { unfinishedOnToken } from '../lifecycle/read-operations.ts'
import type { OperationTransaction } from '../lifecycle/transaction.ts'
import { recordActualApy, withdrawnApy } from './record-actual-apy.ts'
import type { SettlementContext } from './settle-wallet.ts'
import { storePosition } from './store-position.ts'

/**
 * Settles a transaction of ours that succeeded and is final, by what its events say really moved, never by the plan
 * (rule 7). Its operation completes with its last transaction; one that had ended lands late (rule 2).
 */
export async function settleLanded(
  settlement: SettlementContext,
  operation: Operation,
  transaction: OperationTransaction,
  included: IncludedTransaction,
): Promise<void> {
  const { tx, block, at } = settlement
  await moveTransaction(tx, operation, transaction, {
    event: 'confirmed',
    block: { blockNumber: included.blockNumber, blockHash: block.hash, time: block.time },
    txHash: included.hash,
    at,
  })
  if (transaction.kind !== 'supply' && transaction.kind !== 'unwind') return

  const reading = settlement.snapshot.shares.find(({ strategy }) => strategy.id === operation.strategyId)
  assert(reading, 'the strategy of a transaction that settles was read with its wallet')
  const movement = venueFor(reading.strategy.protocol).netMovement(reading.strategy, transaction.sender, included)
  const event = isUnfinished(operation.state) ? 'all_final' : 'landed_late'
  const advanced = await advanceOperations(
    tx,
    [{ operation, event, ...(movement ? { settledAmount: movement.assets } : {}) }],
    at,
  )
  if (event === 'landed_late') await abortUnissuedAfterLateLanding(settlement, reading.strategy)
  const held = advanced.reservationsToSettle.reduce((sum, reservation) => sum + reservation.covered, 0n)
  await postMovement(settlement, operation, reading.strategy, movement, held, reading.price)
}

/**
 * What landed late was counted with no more: others of this wallet and token of which nothing is out make room for it
 * (rule 2). After a supply they would take what is gone; after a withdrawal they would deploy again what it
 * brought back, or withdraw a second time what the buffer has by now.
 */
async function abortUnissuedAfterLateLanding(
  { tx, snapshot, at }: SettlementContext,
  strategy: Strategy,
): Promise<void> {
  const unfinished = await unfinishedOnToken(tx, snapshot.wallet, strategy.tokenAddress)
  await abortUnissued(tx, unfinished.filter(isUnissued), 'An earlier operation of the wallet landed late.', at)
}

/** Posts what moved, together with the yield up to this moment; what was held back for it is settled in the same entry. */
async function postMovement(
  settlement: SettlementContext,
  operation: Operation,
  strategy: Strategy,
  movement: Movement | undefined,
  held: bigint,
  priceRead: bigint | undefined,
): Promise<void> {
  const { tx, block, snapshot, at } = settlement
  const { wallet } = snapshot
  const worth = venueFor(strategy.protocol).valueOf
  const allocation = await findOpenAllocation(tx, wallet, strategy.id)
  const before = currentPosition(allocation)
  const price = priceRead ?? before.price
  const entry = {
    organizationId: wallet.organizationId,
    source: `settle:${operation.operationId}`,
    operationId: operation.operationId,
    blockNumber: block.number,
    at,
  }
  const book = (amounts: Parameters<typeof postings>[2], kind: 'supply' | 'unwind') =>
    post(tx, [{ ...entry, kind, postings: postings(wallet.walletId, strategy.tokenAddress, amounts) }])

  if (!movement) return book({ reserved: -held, available: held }, 'supply')
  if (movement.direction === 'out') {
    const moved = withdraw(before, { ...movement, price }, worth)
    const earned = movement.assets - moved.external
    await recordActualApy(settlement, operation, withdrawnApy(before, moved.position, earned, allocation, block))
    await storePosition(settlement, strategy.id, allocation, moved.position)
    return book(
      {
        available: movement.assets + held,
        reserved: -held,
        deployed: moved.yield + moved.external - movement.assets,
        external: -moved.external,
        yield: -moved.yield,
      },
      'unwind',
    )
  }
  await recordActualApy(settlement, operation, strategy.apy)
  const moved = deposit(before, { ...movement, price }, worth)
  await storePosition(settlement, strategy.id, allocation, moved.position)
  const books = (await balancesOf(tx, wallet)).find((balance) => balance.tokenAddress === strategy.tokenAddress)
  // What was not held back comes out of what is available. Beyond that it came from outside in this very block, or was
  // held for another operation (a late landing): the comparison that follows brings it in, or opens the break.
  const fromAvailable = minAmount(maxAmount(movement.assets - held, 0n), books?.available ?? 0n)
  const unused = maxAmount(held - movement.assets, 0n)
  const uncovered = movement.assets - (held - unused) - fromAvailable
  await book(
    {
      reserved: -held,
      available: unused - fromAvailable,
      external: -uncovered,
      deployed: movement.assets + moved.yield,
      yield: -moved.yield,
    },
    'supply',
  )
}
