import { type Chain, PastStateMissingError } from '../../../chains/index.ts'
import { type ExitReading, type Strategy, undefinedIfUnavailable, venueFor } from '../../../venues/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { TouchedWallet } from './touched-wallets.ts'

export interface ShareSnapshot {
  readonly strategy: Strategy
  /** `undefined` while the contract is unavailable: the ledger stays unchanged. */
  readonly shares: bigint | undefined
  /** The last price read while the contract is unavailable; `undefined` if there is none. */
  readonly price: bigint | undefined
  /** What the wallet requested back; `undefined` where the strategy has no exits, or while the contract is unavailable. */
  readonly exit: ExitReading | undefined
}

/** A wallet as the chain shows it at one block. Base units. */
export interface WalletSnapshot {
  readonly wallet: Wallet
  /**
   * False if no node keeps the state of that block, and the snapshot is of the latest block instead. Its prices suffice
   * to settle with, but later blocks explain the balances, so the wallet is reconciled when those are settled.
   */
  readonly isAtBlock: boolean
  /** When its prices were in force, by the chain's clock, if that is later than the block. */
  readonly pricedAt?: Date
  /** Whether it contains all tokens and strategies of the chain. */
  readonly isComplete: boolean
  readonly balances: readonly { tokenAddress: string; balance: bigint }[]
  readonly shares: readonly ShareSnapshot[]
}

/** Balances, shares and prices of these wallets at one block. All calls in one tick: one batched read. */
export async function readWalletSnapshots(
  chain: Chain,
  touched: readonly TouchedWallet[],
  at: number,
): Promise<WalletSnapshot[]> {
  if (touched.length === 0) return []
  try {
    return await readSnapshots(chain, touched, at)
  } catch (error) {
    // Whatever else fails is read again in the next round (rule 12).
    if (!(error instanceof PastStateMissingError)) throw error
    const { latest } = await chain.heads()
    if (latest.number <= at) throw error
    // Where past balances are computed from an owner's transactions, one wallet with too many of them fails the read.
    if (!chain.readsPastBalances && touched.length > 1) return readEachWallet(chain, touched, at)
    return readLatestWalletSnapshots(chain, touched)
  }
}

async function readEachWallet(chain: Chain, touched: readonly TouchedWallet[], at: number): Promise<WalletSnapshot[]> {
  return (await Promise.all(touched.map((one) => readWalletSnapshots(chain, [one], at)))).flat()
}

/** The same at the latest block, to settle a past block with. */
export async function readLatestWalletSnapshots(
  chain: Chain,
  touched: readonly TouchedWallet[],
): Promise<WalletSnapshot[]> {
  if (touched.length === 0) return []
  const snapshots = await readSnapshots(chain, touched)
  // After the reading: a block between the two would otherwise show a lower price at a later time.
  const { latest } = await chain.heads()
  return snapshots.map((snapshot) => ({ ...snapshot, isAtBlock: false, pricedAt: latest.time }))
}

async function readSnapshots(chain: Chain, touched: readonly TouchedWallet[], at?: number): Promise<WalletSnapshot[]> {
  const requests = touched.flatMap(({ wallet, tokens }) =>
    chain.network.tokens
      .filter(({ address }) => tokens?.has(address) ?? true)
      .map(({ address }) => ({ walletId: wallet.walletId, owner: wallet.address, token: address })),
  )
  const [balances, positions] = await Promise.all([chain.balances(requests, at), readShares(chain, touched, at)])
  const results = requests.map(({ walletId, token }, index) => ({
    walletId,
    tokenAddress: token,
    balance: balances[index]!,
  }))
  const balancesByWallet = Map.groupBy(results, ({ walletId }) => walletId)
  const sharesByWallet = Map.groupBy(positions, ({ walletId }) => walletId)
  return touched.map(({ wallet, isComplete }) => ({
    wallet,
    isAtBlock: true,
    isComplete,
    balances: balancesByWallet.get(wallet.walletId) ?? [],
    shares: sharesByWallet.get(wallet.walletId) ?? [],
  }))
}

/** An unavailable contract affects only its own strategy, neither the wallets nor the other strategies. */
async function readShares(chain: Chain, touched: readonly TouchedWallet[], at?: number) {
  const pairs = touched.flatMap(({ wallet, strategies }) =>
    strategies.map((strategy) => ({ walletId: wallet.walletId, owner: wallet.address, strategy })),
  )
  const strategies = [...new Map(pairs.map(({ strategy }) => [strategy.id, strategy])).values()]
  const read = await Promise.all(
    strategies.map(async (strategy) => {
      const own = pairs.filter((pair) => pair.strategy.id === strategy.id)
      const venue = venueFor(strategy.protocol)
      const [shares, prices, exits] = await Promise.all([
        undefinedIfUnavailable(venue.shares(chain, own, at)),
        undefinedIfUnavailable(venue.prices(chain, [strategy], at)),
        venue.exits && undefinedIfUnavailable(venue.exits.read(chain, own, at)),
      ])
      const price = prices?.[0] ?? strategy.price ?? undefined
      return own.map((pair, index) => ({ ...pair, shares: shares?.[index], price, exit: exits?.[index] }))
    }),
  )
  return read.flat()
}
