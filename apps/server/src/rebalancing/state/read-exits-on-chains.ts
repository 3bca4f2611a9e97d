import { type ExitsQuery, readLatestExits, type WalletExit } from '../../allocations/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { RebalanceParts } from '../parts.ts'
import type { StrategyPosition } from '../planner/payable-positions.ts'
import { type Market, marketKey } from './read-market.ts'
import type { WalletState } from './read-wallet-states.ts'

interface KnownOfWallets {
  readonly holdings: ReadonlyMap<number, readonly StrategyPosition[]>
  readonly markets: ReadonlyMap<string, Market>
  readonly settledExits: ReadonlyMap<number, readonly WalletExit[]>
}

type ExitsOfWallet = Awaited<ReturnType<typeof readLatestExits>>[number]

/**
 * The exits of wallets in the latest blocks, by operational wallet, where withdrawals take time or something is on its
 * way; wallets without either are missing. One batched call per chain, none without such wallets.
 */
export async function readExitsOnChains(
  { chains }: Pick<RebalanceParts, 'chains'>,
  wallets: readonly WalletState[],
  { holdings, markets, settledExits }: KnownOfWallets,
): Promise<ReadonlyMap<number, ExitsOfWallet>> {
  const queries = wallets.flatMap((wallet) => {
    const { opWalletId } = wallet.opWallet
    const settled = settledExits.get(opWalletId) ?? []
    const slow = (holdings.get(opWalletId) ?? []).filter(({ takesTime, value }) => takesTime && value > 0n)
    const asked = new Set([...settled, ...slow].map(({ strategyId }) => strategyId))
    if (asked.size === 0) return []
    const strategies = (markets.get(marketKey(wallet))?.strategies ?? []).filter(({ id }) => asked.has(id))
    return [{ opWalletId, blockchain: wallet.blockchain, query: { owner: wallet.address, strategies, settled } }]
  })
  const perChain = [...Map.groupBy(queries, ({ blockchain }) => blockchain)].map(async ([blockchain, own]) => {
    const chain = chains.get(blockchain)
    const found =
      chain &&
      (await readOrUnread(() =>
        readLatestExits(
          chain,
          own.map(({ query }) => query),
        ),
      ))
    return own.map(({ opWalletId, query }, index) => [opWalletId, found?.[index] ?? unreadOf(query)] as const)
  })
  return new Map((await Promise.all(perChain)).flat())
}

/** `undefined` while the chain is unavailable. */
async function readOrUnread<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}

const unreadOf = ({ strategies, settled }: ExitsQuery): ExitsOfWallet => ({
  exits: settled,
  unread: new Set(strategies.map(({ id }) => id)),
})
