import type { Chain } from '../chains/index.ts'
import { type Strategy, venueFor } from '../venues/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { Touched } from './touched-wallets.ts'

export interface ShareReading {
  readonly strategy: Strategy
  readonly shares: bigint
  readonly price: bigint
}

/** A wallet as the chain shows it at one block. Base units. */
export interface WalletReading {
  readonly wallet: Wallet
  /**
   * False when no node keeps the state of that block any more, so that this is what the latest one shows: its prices
   * will do to settle with, but later blocks explain the rest, and the wallet is compared when they are settled.
   */
  readonly isOfBlock: boolean
  /** Whether it shows all tokens and strategies of the chain. */
  readonly isWhole: boolean
  readonly balances: readonly { tokenAddress: string; balance: bigint }[]
  readonly shares: readonly ShareReading[]
}

/** Balances, shares and prices of these wallets at one block, all in the same tick: one batched read. */
export async function readWallets(chain: Chain, touched: readonly Touched[], at: number): Promise<WalletReading[]> {
  if (touched.length === 0) return []
  try {
    return await readAll(chain, touched, at)
  } catch (error) {
    const { latest } = await chain.heads()
    if (latest.number <= at) throw error
    return readWalletsNow(chain, touched)
  }
}

/** The same as the latest block shows it, for a block in the past. */
export async function readWalletsNow(chain: Chain, touched: readonly Touched[]): Promise<WalletReading[]> {
  if (touched.length === 0) return []
  return (await readAll(chain, touched)).map((reading) => ({ ...reading, isOfBlock: false }))
}

async function readAll(chain: Chain, touched: readonly Touched[], at?: number): Promise<WalletReading[]> {
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
  return touched.map(({ wallet, isWhole }) => ({
    wallet,
    isOfBlock: true,
    isWhole,
    balances: found.filter(({ walletId }) => walletId === wallet.walletId),
    shares: positions.filter(({ walletId }) => walletId === wallet.walletId),
  }))
}

async function readShares(chain: Chain, touched: readonly Touched[], at?: number) {
  const pairs = touched.flatMap(({ wallet, strategies }) =>
    strategies.map((strategy) => ({ walletId: wallet.walletId, owner: wallet.address, strategy })),
  )
  const protocols = [...new Set(pairs.map(({ strategy }) => strategy.protocol))]
  const read = await Promise.all(
    protocols.map(async (protocol) => {
      const own = pairs.filter(({ strategy }) => strategy.protocol === protocol)
      const venue = venueFor(protocol)
      const strategies = [...new Map(own.map(({ strategy }) => [strategy.id, strategy])).values()]
      const [shares, prices] = await Promise.all([venue.shares(chain, own, at), venue.prices(chain, strategies, at)])
      const priceOf = new Map(strategies.map((strategy, index) => [strategy.id, prices[index]!]))
      return own.map((pair, index) => ({ ...pair, shares: shares[index]!, price: priceOf.get(pair.strategy.id)! }))
    }),
  )
  return read.flat()
}
