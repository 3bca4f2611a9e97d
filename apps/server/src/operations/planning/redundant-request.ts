import { readLatestExits, readWalletExits, type WalletExit } from '../../allocations/index.ts'
import type { Chain } from '../../chains/index.ts'
import { type Strategy, strategiesOnChain, venueFor } from '../../venues/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { OperationalWalletContext } from './find-operational-wallet.ts'

interface UnsentRequest {
  readonly context: OperationalWalletContext
  readonly strategy: Strategy
  readonly plannedAt: Date
  /** Base units in the latest block. */
  readonly onChain: bigint
  /** All of the position is to be withdrawn, whatever the buffer needs. */
  readonly isLeaving: boolean
}

/**
 * Why the rebalancer must no longer make the request, because money was requested back since it was planned;
 * `undefined`: it may. Throws CHAIN_UNAVAILABLE.
 */
export async function redundantRequestReason(
  { db, dustOf }: Pick<Parts, 'db' | 'dustOf'>,
  chain: Chain,
  { context: { opWallet, wallet }, strategy, plannedAt, onChain, isLeaving }: UnsentRequest,
): Promise<string | undefined> {
  const settled = (await readWalletExits(db, [opWallet])).get(opWallet.opWalletId) ?? []
  // Any strategy of the token may have been asked, outside Weir too, in a block that is not settled yet.
  const onThisChain = await strategiesOnChain(db, wallet.blockchain)
  const strategies = onThisChain.filter(({ tokenAddress }) => tokenAddress === strategy.tokenAddress)
  const [latest] = await readLatestExits(chain, [{ owner: wallet.address, strategies, settled }])
  const exits = latest!.exits
  const dust = dustOf?.(strategy.tokenDecimals) ?? 1n
  // A crumb may stay behind whose claim is left out: the request was planned with it.
  const isUnclaimed = exits.some(
    ({ strategyId, pending, claimable }) => strategyId === strategy.id && (pending > 0n || claimable >= dust),
  )
  if (isUnclaimed && venueFor(strategy.protocol).exits?.restartsWithRequest)
    return 'Another request would delay what has been requested in the meantime.'
  const onItsWay = exits.reduce((sum, { pending, claimable }) => sum + pending + claimable, 0n)
  const isFilled = !isLeaving && onChain + onItsWay - leftOut(settled, plannedAt) >= opWallet.buffer
  return isFilled ? 'What has been requested back in the meantime fills the buffer.' : undefined
}

/**
 * What could be claimed already when the request was planned: a claim that is possible goes first, so the plan found that
 * it was left out, or too small to matter.
 */
function leftOut(settled: readonly WalletExit[], plannedAt: Date): bigint {
  const unchanged = settled.filter(({ updatedAt }) => updatedAt !== undefined && updatedAt <= plannedAt)
  return unchanged.reduce((sum, { claimable }) => sum + claimable, 0n)
}
