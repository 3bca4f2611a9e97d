import { type Address, maxUint256 } from 'viem'
import { roleAccounts } from './accounts.ts'
import {
  baseUnits,
  type ChainDesign,
  MARKET_LIQUIDITY,
  MIN_DEPOSIT,
  type Stablecoin,
  stablecoinsOf,
  VAULT_LIQUIDITY,
} from './chains.ts'
import type { EvmStrategy, EvmToken } from './deployment.ts'
import { type Grant, minterGrant, poolAdminGrant } from './grants.ts'
import { planAave, planDebt, planSupplyToAave, type ReserveDesign } from './plan-aave.ts'
import { type PlanBuilder, planBuilder } from './plan-builder.ts'
import { planComet } from './plan-comet.ts'
import { planCredit } from './plan-credit.ts'
import { planExits } from './plan-exits.ts'
import { planFluid } from './plan-fluid.ts'
import { planLending } from './plan-lending.ts'
import { planRewards } from './plan-rewards.ts'
import { planSavings } from './plan-savings.ts'
import { planFeeds, planUpgradeable } from './plan-upgradeable.ts'

/**
 * Raise it with every change to what the founders deploy. It is stored on chain as the market's name; a saved chain
 * with another version is replaced by a new chain. What a release adds is appended to the curator's steps instead: a
 * saved chain gets it at its next start and keeps its money.
 */
export const DEPLOYMENT_VERSION = 'Weir development market 1'

const SECONDS_PER_YEAR = 31_536_000n
const WETH_COLLATERAL = 1_000_000n * 10n ** 18n

export type DeploymentPlan = Pick<PlanBuilder, 'accounts' | 'steps'> & {
  readonly provider: Address
  readonly tokens: readonly EvmToken[]
  readonly strategies: readonly EvmStrategy[]
  /** Rights of curator and governor that hold once the founders' steps are done. */
  readonly grants: readonly Grant[]
  readonly weth: Address
  readonly configurator: Address
}

/**
 * Plans everything that a start deploys on a chain: the founders' steps on a new one, the curator's on any. Pure and deterministic, addresses included.
 * Steps are ordered; each role's nonces count up from 0.
 */
export function planDeployment(design: ChainDesign): DeploymentPlan {
  const plan = planBuilder(roleAccounts(design.accountIndex))
  const coins = stablecoinsOf(design).map((symbol) => ({ ...planStablecoin(plan, symbol), symbol }))
  const weth = plan.deploy('weir/DevToken', ['Wrapped Ether', 'WETH', 18])
  const aave = planAave(plan, DEPLOYMENT_VERSION, [
    ...coins.map(reserveOf),
    {
      symbol: 'WETH',
      token: weth,
      decimals: 18,
      price: 3_000_00000000n,
      borrowable: false,
      collateral: { loanToValue: 8_000n, threshold: 8_250n },
    },
  ])
  const tokenOf = new Map(coins.map(({ symbol, address }) => [symbol, address]))
  const vaults = design.vaults.map((vault) => {
    const asset = tokenOf.get(vault.token)
    if (asset === undefined) throw new Error(`${vault.name} needs ${vault.token}, which ${design.blockchain} lacks`)
    const rate = (BigInt(vault.rate) * 10n ** 27n) / 10_000n / SECONDS_PER_YEAR
    const limit = vault.maxDeposit ?? maxUint256
    const symbol = `yv${vault.token}`
    const address = plan.deploy('weir/YieldVault', [asset, vault.name, symbol, rate, limit])
    plan.call('treasury', 'weir/DevToken', { to: asset, functionName: 'setMinter', args: [address, true] })
    return { ...vault, asset, address }
  })

  const { lender, borrower } = plan.accounts
  for (const { symbol, address } of coins) {
    const forVaults = VAULT_LIQUIDITY * BigInt(vaults.filter((vault) => vault.token === symbol).length)
    plan.call('treasury', 'weir/DevToken', {
      to: address,
      functionName: 'mint',
      args: [lender.address, MARKET_LIQUIDITY + forVaults],
    })
  }
  plan.call('treasury', 'weir/DevToken', { to: weth, functionName: 'mint', args: [borrower.address, WETH_COLLATERAL] })
  for (const { address } of coins)
    planSupplyToAave(plan, { role: 'lender', market: aave, token: address, amount: MARKET_LIQUIDITY })
  for (const { asset, address } of vaults) {
    plan.call('lender', 'weir/DevToken', { to: asset, functionName: 'approve', args: [address, VAULT_LIQUIDITY] })
    plan.call('lender', 'weir/YieldVault', {
      to: address,
      functionName: 'deposit',
      args: [VAULT_LIQUIDITY, lender.address],
    })
  }
  planSupplyToAave(plan, { role: 'borrower', market: aave, token: weth, amount: WETH_COLLATERAL })
  for (const { symbol, address } of coins) {
    planDebt(plan, aave, address, baseUnits(design.borrowed[symbol] ?? 0n))
  }

  const aaveStrategies = coins.map(({ symbol, address }): EvmStrategy => {
    const aToken = aave.aTokens.get(symbol)
    if (aToken === undefined) throw new Error(`The market has no ${symbol} reserve`)
    return {
      key: `aave-v3:${design.blockchain}:${symbol}`,
      protocol: 'aave-v3',
      name: `Aave V3 ${symbol}`,
      token: symbol,
      tokenAddress: address,
      minDeposit: MIN_DEPOSIT,
      maxDeposit: null,
      status: 'active',
      params: { pool: aave.pool, aToken, dataProvider: aave.dataProvider },
    }
  })
  const vaultStrategies = vaults.map(
    ({ key, name, token, asset, address, minDeposit, maxDeposit, status, rate }): EvmStrategy => ({
      key,
      protocol: 'erc4626',
      name,
      token,
      tokenAddress: asset,
      minDeposit,
      maxDeposit,
      status,
      params: { vault: address, rateBasisPoints: rate, lendsTo: null },
    }),
  )
  const lendingCoin = coins.find(({ symbol }) => symbol === design.lending)
  const lendingStrategies =
    lendingCoin === undefined ? [] : planLending(plan, { blockchain: design.blockchain, coin: lendingCoin, weth, aave })
  const tokens = planFeeds(plan, coins)
  const upgradeableCoin = tokens.find(({ symbol }) => symbol === design.lending)
  const upgradeable = upgradeableCoin && planUpgradeable(plan, { blockchain: design.blockchain, coin: upgradeableCoin })
  const exits = upgradeableCoin ? planExits(plan, { blockchain: design.blockchain, coin: upgradeableCoin }) : []
  const comet = upgradeableCoin && planComet(plan, { blockchain: design.blockchain, coin: upgradeableCoin, weth })
  const savings = upgradeableCoin && planSavings(plan, { blockchain: design.blockchain, coin: upgradeableCoin })
  const credit = upgradeableCoin && planCredit(plan, { blockchain: design.blockchain, coin: upgradeableCoin })
  const fluid = upgradeableCoin && planFluid(plan, { blockchain: design.blockchain, coin: upgradeableCoin })
  const rewards = comet && planRewards(plan, comet.params.comet)
  const { curator, governor } = plan.accounts
  return {
    accounts: plan.accounts,
    steps: plan.steps,
    provider: aave.provider,
    tokens,
    strategies: [
      ...aaveStrategies,
      ...vaultStrategies,
      ...lendingStrategies,
      ...(upgradeable ? [upgradeable] : []),
      ...exits,
      ...(comet && rewards ? [{ ...comet, params: { ...comet.params, rewards } }] : []),
      ...(savings ? [savings] : []),
      ...(credit ? [credit] : []),
      ...(fluid ? [fluid] : []),
    ],
    grants: [
      ...[...coins, { symbol: 'WETH', address: weth }].flatMap((token) => [
        minterGrant(token, curator.address),
        minterGrant(token, governor.address),
      ]),
      ...[upgradeable, savings, ...exits]
        .filter((strategy) => strategy !== undefined)
        .map((strategy) => minterGrant({ symbol: strategy.token, address: strategy.tokenAddress }, vaultOf(strategy))),
      poolAdminGrant(aave.access, governor.address),
    ],
    weth,
    configurator: aave.configurator,
  }
}

const vaultOf = ({ key, params }: EvmStrategy): Address => {
  if (!('vault' in params)) throw new Error(`${key} is no vault`)
  return params.vault
}

function planStablecoin(plan: PlanBuilder, symbol: Stablecoin): Omit<EvmToken, 'usdFeed'> {
  const name = symbol === 'USDC' ? 'USD Coin' : 'Tether USD'
  const address = symbol === 'USDC' ? plan.deploy('weir/DevToken', [name, symbol, 6]) : plan.deploy('weir/DevTether')
  return { symbol, name, address, decimals: 6 }
}

/** As on public chains, USDC counts as collateral and USDT does not. */
function reserveOf(coin: Pick<EvmToken, 'symbol' | 'address' | 'decimals'>): ReserveDesign {
  return {
    symbol: coin.symbol,
    token: coin.address,
    decimals: coin.decimals,
    price: 1_00000000n,
    borrowable: true,
    collateral: coin.symbol === 'USDC' ? { loanToValue: 7_500n, threshold: 7_800n } : null,
  }
}
