import { type Address, maxUint256, zeroAddress } from 'viem'
import { createdBy, type PlanBuilder } from './plan-builder.ts'

const RAY = 10n ** 27n

/** Aave's interest rate mode for variable debt; the stable mode is never enabled. */
const VARIABLE_RATE = 2n

export type ReserveDesign = {
  readonly symbol: string
  readonly token: Address
  readonly decimals: number
  /** In the oracle's unit: US dollars with eight decimals. */
  readonly price: bigint
  readonly borrowable: boolean
  /** Loan-to-value and liquidation threshold in basis points; null: no collateral. */
  readonly collateral: { readonly loanToValue: bigint; readonly threshold: bigint } | null
}

export type AaveMarket = {
  readonly provider: Address
  readonly access: Address
  readonly configurator: Address
  readonly pool: Address
  readonly dataProvider: Address
  readonly aTokens: ReadonlyMap<string, Address>
}

/**
 * Plans an Aave V3 market: provider, access control, pool with its libraries, configurator, oracle,
 * data provider, interest rates and reserves. Contracts create the proxies, so the proxies' addresses
 * follow from those contracts' nonces.
 */
export function planAave(plan: PlanBuilder, marketId: string, reserves: readonly ReserveDesign[]): AaveMarket {
  const admin = plan.accounts.treasury.address
  const call = (path: string, to: Address, functionName: string, args: readonly unknown[]) =>
    plan.call('treasury', `aave-v3/${path}`, { to, functionName, args })

  const provider = plan.deploy('aave-v3/PoolAddressesProvider', [marketId, admin])
  call('PoolAddressesProvider', provider, 'setACLAdmin', [admin])
  const access = plan.deploy('aave-v3/ACLManager', [provider])
  call('PoolAddressesProvider', provider, 'setACLManager', [access])
  call('ACLManager', access, 'addPoolAdmin', [admin])

  for (const library of ['BorrowLogic', 'BridgeLogic', 'EModeLogic', 'FlashLoanLogic', 'LiquidationLogic']) {
    plan.deploy(`aave-v3/${library}`)
  }
  for (const library of ['PoolLogic', 'SupplyLogic', 'ConfiguratorLogic']) plan.deploy(`aave-v3/${library}`)
  call('PoolAddressesProvider', provider, 'setPoolImpl', [plan.deploy('aave-v3/Pool', [provider])])
  call('PoolAddressesProvider', provider, 'setPoolConfiguratorImpl', [plan.deploy('aave-v3/PoolConfigurator')])
  const pool = createdBy(provider, 1)
  const configurator = createdBy(provider, 2)

  const feeds = reserves.map((reserve) => plan.deploy('aave-v3/MockAggregator', [reserve.price]))
  const assets = reserves.map((reserve) => reserve.token)
  const oracle = plan.deploy('aave-v3/AaveOracle', [provider, assets, feeds, zeroAddress, zeroAddress, 100_000_000n])
  call('PoolAddressesProvider', provider, 'setPriceOracle', [oracle])
  const dataProvider = plan.deploy('aave-v3/AaveProtocolDataProvider', [provider])
  call('PoolAddressesProvider', provider, 'setPoolDataProvider', [dataProvider])

  const inputs = {
    aTokenImpl: plan.deploy('aave-v3/AToken', [pool]),
    stableDebtTokenImpl: plan.deploy('aave-v3/StableDebtToken', [pool]),
    variableDebtTokenImpl: plan.deploy('aave-v3/VariableDebtToken', [pool]),
    interestRateStrategyAddress: planRates(plan, provider),
    treasury: admin,
    incentivesController: zeroAddress,
    params: '0x',
  }
  call('PoolConfigurator', configurator, 'initReserves', [
    reserves.map(({ symbol, token, decimals }) => ({
      ...inputs,
      underlyingAsset: token,
      underlyingAssetDecimals: decimals,
      aTokenName: `Aave ${symbol}`,
      aTokenSymbol: `a${symbol}`,
      stableDebtTokenName: `Aave Stable Debt ${symbol}`,
      stableDebtTokenSymbol: `stableDebt${symbol}`,
      variableDebtTokenName: `Aave Variable Debt ${symbol}`,
      variableDebtTokenSymbol: `variableDebt${symbol}`,
    })),
  ])
  for (const { token, borrowable, collateral } of reserves) {
    if (borrowable) {
      call('PoolConfigurator', configurator, 'setReserveBorrowing', [token, true])
      call('PoolConfigurator', configurator, 'setReserveFactor', [token, 1_000n])
    }
    if (collateral !== null) {
      const { loanToValue, threshold } = collateral
      call('PoolConfigurator', configurator, 'configureReserveAsCollateral', [token, loanToValue, threshold, 10_500n])
    }
  }
  // The configurator creates three proxies per reserve: the aToken, its stable and its variable debt.
  const aTokens = new Map(reserves.map(({ symbol }, index) => [symbol, createdBy(configurator, 3 * index + 1)]))
  return { provider, access, configurator, pool, dataProvider, aTokens }
}

/**
 * Rates that stay realistic for decades of advanced time. Nobody repays here, so utilization only rises. A
 * gentle second slope lets the rate drift upwards; Aave's usual slope would jump to 75 % a year.
 */
function planRates(plan: PlanBuilder, provider: Address): Address {
  const percent = (value: bigint) => (value * RAY) / 100n
  const variable = [percent(80n), 0n, percent(8n), percent(4n)]
  const stable = [percent(8n), percent(4n), percent(1n), percent(8n), percent(20n)]
  return plan.deploy('aave-v3/DefaultReserveInterestRateStrategy', [provider, ...variable, ...stable])
}

interface AaveSupply {
  readonly role: 'lender' | 'borrower'
  readonly market: AaveMarket
  readonly token: Address
  readonly amount: bigint
}

/** Plans a role's supply to the market: approve, then supply for itself. */
export function planSupplyToAave(plan: PlanBuilder, { role, market, token, amount }: AaveSupply): void {
  plan.call(role, 'weir/DevToken', { to: token, functionName: 'approve', args: [market.pool, maxUint256] })
  plan.call(role, 'aave-v3/Pool', {
    to: market.pool,
    functionName: 'supply',
    args: [token, amount, plan.accounts[role].address, 0],
  })
}

/** Plans the borrower's debt at the variable rate. */
export function planDebt(plan: PlanBuilder, market: AaveMarket, token: Address, amount: bigint): void {
  const { address } = plan.accounts.borrower
  plan.call('borrower', 'aave-v3/Pool', {
    to: market.pool,
    functionName: 'borrow',
    args: [token, amount, VARIABLE_RATE, 0, address],
  })
}
