import { parseAbi } from 'viem'

/** The parts of an ERC-4626 vault that are used beyond ERC-20. */
export const vaultAbi = parseAbi([
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'function asset() view returns (address)',
  'function balanceOf(address account) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function previewDeposit(uint256 assets) view returns (uint256)',
  'function previewWithdraw(uint256 assets) view returns (uint256)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
  'function maxDeposit(address receiver) view returns (uint256)',
  'function maxRedeem(address owner) view returns (uint256)',
  'function maxWithdraw(address owner) view returns (uint256)',
  'function cash() view returns (uint256)',
  'function paused() view returns (bool)',
  'function ssr() view returns (uint256)',
  'function vsr() view returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function lostAssets() view returns (uint256)',
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function redeem(uint256 shares, address receiver, address owner) returns (uint256)',
  'function withdraw(uint256 assets, address receiver, address owner) returns (uint256)',
])

/** The parts of Fluid's fToken beyond ERC-4626, and of the Liquidity contract that it names. */
export const fluidAbi = parseAbi([
  'function getData() view returns (address liquidity, address lendingFactory, address rewards, address permit2, address rebalancer, bool rewardsActive, uint256 liquidityBalance, uint256 liquidityExchangePrice, uint256 tokenExchangePrice)',
  'function readFromStorage(bytes32 slot) view returns (uint256)',
  'function getSigsImplementation(bytes4 selector) view returns (address)',
])

/** What an fToken calls at the Liquidity contract to deposit and to withdraw. */
export const operateAbi = parseAbi([
  'function operate(address token, int256 supplyAmount, int256 borrowAmount, address withdrawTo, address borrowTo, bytes callbackData) payable returns (uint256, uint256)',
])

/** How MetaMorpho tells where it lends, and what it asks the contract of Morpho's markets. */
export const queueAbi = parseAbi([
  'function MORPHO() view returns (address)',
  'function withdrawQueueLength() view returns (uint256)',
  'function withdrawQueue(uint256 index) view returns (bytes32)',
  'function market(bytes32 id) view returns (uint128 totalSupplyAssets, uint128 totalSupplyShares, uint128 totalBorrowAssets, uint128 totalBorrowShares, uint128 lastUpdate, uint128 fee)',
  'function position(bytes32 id, address user) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
])
