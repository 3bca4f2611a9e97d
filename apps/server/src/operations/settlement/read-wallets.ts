import type { Chain } from '../../chains/index.ts'
import { type Strategy, undefinedIfUnavailable, venueFor } from '../../venues/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { TouchedWallet } from './touched-wallets.ts'

export interface ShareSnapshot {
  readonly strategy: Strategy
  /** `undefined` while the contract does not tell: the books keep what they have. */
  readonly shares: bigint | undefined
  /** The last one that was read while the contract does not tell; `undefined` if it never did. */
  readonly price: bigint | undefined
}

/** A wallet as the chain shows it at one block. Base units. */
export interface WalletSnapshot {
  readonly wallet: Wallet
  /**
   * False when no node keeps the state of that block any more, so that this is what the latest one shows: its prices
   * will do to settle with, but later blocks explain the rest, and the wallet is compared when they are settled.
   */
  readonly isAtBlock: boolean
  /** Whether it shows all tokens and strategies of the chain. */
  readonly isComplete: boolean
  readonly balances: readonly { tokenAddress: string; balance: bigint }[]
  readonly shares: readonly ShareSnapshot[]
}

/** Balances, shares and prices of these wallets at one block, all in the same tick: one batched read. */
export async function readWalletSnapshots(
  chain: Chain,
  touched: readonly TouchedWallet[],
  at: number,
): Promise<WalletSnapshot[]> {
  if (touched.length === 0) return []
  try {
    return await readSnapshots(chain, touched, at)
  } catch (error) {
    const { latest } = await chain.heads()
    if (latest.number <= at) throw error
    return readLatestWalletSnapshots(chain, touched)
  }
}

/** The same as the latest block shows it, for a block in the past. */
export async function readLatestWalletSnapshots(
  chain: Chain,
  touched: readonly TouchedWallet[],
): Promise<WalletSnapshot[]> {
  if (touched.length === 0) return []
  return (await readSnapshots(chain, touched)).map((reading) => ({ ...reading, isAtBlock: false }))
}

async function readSnapshots(chain: Chain, touched: readonly TouchedWallet[], at?: number): Promise<WalletSnapshot[]> {
  const asked = touched.flatMap(({ wallet, tokens }) =>
    chain.network.tokens
      .filter(({ address }) => tokens?.has(address) ?? true)
      .map(({ address }) => ({ walletId: wallet.walletId, owner: wallet.address, token: address })),
  )
  const [balances, positions] = await Promise.all([chain.balances(asked, at), readShares(chain, touched, at)])
  const found = asked.map(({ walletId, token }, index) => ({
    walletId,
    tokenAddress: token,
    balance: balances[index]!,
  }))
  return touched.map(({ wallet, isComplete }) => ({
    wallet,
    isAtBlock: true,
    isComplete: isComplete,
    balances: found.filter(({ walletId }) => walletId === wallet.walletId),
    shares: positions.filter(({ walletId }) => walletId === wallet.walletId),
  }))
}

/** One contract that does not answer keeps its own strategy back, and neither the wallets nor the other strategies. */
async function readShares(chain: Chain, touched: readonly TouchedWallet[], at?: number) {
  const pairs = touched.flatMap(({ wallet, strategies }) =>
    strategies.map((strategy) => ({ walletId: wallet.walletId, owner: wallet.address, strategy })),
  )
  const strategies = [...new Map(pairs.map(({ strategy }) => [strategy.id, strategy])).values()]
  const read = await Promise.all(
    strategies.map(async (strategy) => {
      const own = pairs.filter((pair) => pair.strategy.id === strategy.id)
      const venue = venueFor(strategy.protocol)
      const [shares, prices] = await Promise.all([
        undefinedIfUnavailable(venue.shares(chain, own, at)),
        undefinedIfUnavailable(venue.prices(chain, [strategy], at)),
      ])
      const price = prices?.[0] ?? strategy.price ?? undefined
      return own.map((pair, index) => ({ ...pair, shares: shares?.[index], price }))
    }),
  )
  return read.flat()
}
