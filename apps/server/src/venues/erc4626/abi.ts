import { parseAbi } from 'viem'

/** The parts of an ERC-4626 vault that are used beyond ERC-20. */
export const vaultAbi = parseAbi([
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'function asset() view returns (address)',
  'function balanceOf(address account) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function maxDeposit(address receiver) view returns (uint256)',
  'function maxRedeem(address owner) view returns (uint256)',
  'function maxWithdraw(address owner) view returns (uint256)',
  'function cash() view returns (uint256)',
  'function ssr() view returns (uint256)',
  'function vsr() view returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function redeem(uint256 shares, address receiver, address owner) returns (uint256)',
  'function withdraw(uint256 assets, address receiver, address owner) returns (uint256)',
])

/** The parts of Fluid's fToken beyond ERC-4626, and of the Liquidity contract that it names. */
export const fluidAbi = parseAbi([
  'function getData() view returns (address liquidity, address lendingFactory, address rewards, address permit2, address rebalancer, bool rewardsActive, uint256 liquidityBalance, uint256 liquidityExchangePrice, uint256 tokenExchangePrice)',
  'function readFromStorage(bytes32 slot) view returns (uint256)',
])
