import { recordExit } from '../../../allocations/index.ts'
import { venueFor } from '../../../venues/index.ts'
import { READ_OPERATION } from '../../lifecycle/reads/read-operations.ts'
import type { Finding } from '../discovery/classify-transactions.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'

/**
 * Settles what the wallet requested back and claimed in the block, and what the chain shows of it: by the events of all
 * transactions, because a request or a claim is the same whether Weir planned it or not. Runs after the findings, whose
 * deposits come first, and before the reconciliation of shares and balances, which would call it external.
 */
export async function settleExits(settlement: SettlementContext, findings: readonly Finding[]): Promise<void> {
  const { batcher, block, snapshot, at } = settlement
  const { wallet } = snapshot
  for (const { strategy, exit, price } of snapshot.shares) {
    const { exits } = venueFor(strategy.protocol)
    if (!exits) continue
    const moving = block.transactions.flatMap((transaction) => {
      const movement = transaction.succeeded ? exits.movement(strategy, wallet.address, transaction) : undefined
      return movement ? [{ hash: transaction.hash, movement }] : []
    })
    const own = await rebalancerHashes(settlement, findings)
    await recordExit(batcher, {
      wallet,
      strategy,
      movements: moving.map(({ movement }) => movement),
      reading: snapshot.isAtBlock ? exit : undefined,
      price,
      pricedAt: snapshot.pricedAt,
      isOnRequest: moving.some(({ hash, movement }) => movement.requestedShares > 0n && !own.has(hash)),
      block,
      at,
    })
  }
}

/** The hashes of transactions in the block that the rebalancer planned. */
async function rebalancerHashes(
  { batcher, snapshot }: SettlementContext,
  findings: readonly Finding[],
): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>()
  for (const { kind, candidate, included } of findings) {
    if (kind !== 'landed' || candidate.transaction.kind !== 'exit_request') continue
    const { organizationId } = snapshot.wallet
    const { operationId } = candidate.transaction
    const { origin } = await batcher.call(READ_OPERATION, { organizationId, operationId })
    if (origin === 'rebalancer') hashes.add(included.hash)
  }
  return hashes
}
