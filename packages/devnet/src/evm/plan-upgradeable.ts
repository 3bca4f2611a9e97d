import { type Address, encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { baseUnits, type EvmBlockchain } from './chains.ts'
import { curatorCalls, strategyOf } from './curator.ts'
import type { EvmStrategy, EvmToken } from './deployment.ts'
import type { PlanBuilder } from './plan-builder.ts'

const SECONDS_PER_YEAR = 31_536_000n
/** Below every other rate of the chain: nothing goes there unless somebody says so. */
const RATE_BASIS_POINTS = 250
/** The curator's deposit, in whole tokens. */
const DEPOSIT = 100_000n
const INITIALIZE = encodeFunctionData({ abi: parseAbi(['function initialize()']), functionName: 'initialize' })

/** Plans the feed of each token's price. The steps are the curator's: append, never change. */
export function planFeeds(plan: PlanBuilder, coins: readonly Omit<EvmToken, 'usdFeed'>[]): EvmToken[] {
  const governor = plan.accounts.governor.address
  return coins.map((coin) => ({
    ...coin,
    usdFeed: plan.deploy('weir/DevPriceFeed', [`${coin.symbol} / USD`, governor], 'curator'),
  }))
}

/** Plans a vault behind a proxy whose code the governor can replace. All steps are the curator's. */
export function planUpgradeable(
  plan: PlanBuilder,
  { blockchain, coin }: { readonly blockchain: EvmBlockchain; readonly coin: EvmToken },
): EvmStrategy {
  const curator = plan.accounts.curator.address
  const rate = (BigInt(RATE_BASIS_POINTS) * 10n ** 27n) / 10_000n / SECONDS_PER_YEAR
  const code = (version: bigint) => plan.deploy('weir/UpgradeableVault', [coin.address, rate, version], 'curator')
  const implementations: readonly [Address, Address] = [code(1n), code(2n)]
  const { governor } = plan.accounts
  const vault = plan.deploy('weir/GovernedProxy', [implementations[0], INITIALIZE, governor.address], 'curator')
  const call = curatorCalls(plan)
  call('DevToken', coin.address, 'mint', [curator, baseUnits(DEPOSIT)])
  call('DevToken', coin.address, 'approve', [vault, maxUint256])
  call('UpgradeableVault', vault, 'deposit', [baseUnits(DEPOSIT), curator])
  return {
    key: `erc4626:${blockchain}:${coin.symbol}:upgradeable`,
    protocol: 'erc4626',
    name: `Upgradeable ${coin.symbol}`,
    ...strategyOf(coin),
    params: { vault, rateBasisPoints: RATE_BASIS_POINTS, lendsTo: null, implementations },
  }
}
