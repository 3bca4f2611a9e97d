import { parseAbi } from 'viem'

/**
 * The functions used of Aave V3's Pool. The reserve data keep this layout in every V3 release; later releases fill the
 * fields that they dropped with zeros.
 */
export const poolAbi = parseAbi([
  'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 currentLiquidityRate; uint128 variableBorrowIndex; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; uint16 id; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; address interestRateStrategyAddress; uint128 accruedToTreasury; uint128 unbacked; uint128 isolationModeTotalDebt; }',
  'function getReserveData(address asset) view returns (ReserveData)',
  'function getReserveNormalizedIncome(address asset) view returns (uint256)',
  'function getVirtualUnderlyingBalance(address asset) view returns (uint128)',
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
])

/** The parts of an aToken that are used beyond ERC-20. */
export const aTokenAbi = parseAbi([
  'event Mint(address indexed caller, address indexed onBehalfOf, uint256 value, uint256 balanceIncrease, uint256 index)',
  'event Burn(address indexed from, address indexed target, uint256 value, uint256 balanceIncrease, uint256 index)',
  'function UNDERLYING_ASSET_ADDRESS() view returns (address)',
  'function scaledBalanceOf(address user) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
])
