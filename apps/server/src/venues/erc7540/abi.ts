import { parseAbi } from 'viem'

/** What ERC-7540 adds to an ERC-4626 vault for redemption, and the events of both. */
export const asyncVaultAbi = parseAbi([
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'event RedeemRequest(address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares)',
  'function maxWithdraw(address owner) view returns (uint256)',
  'function pendingRedeemRequest(uint256 requestId, address controller) view returns (uint256)',
  'function requestRedeem(uint256 shares, address controller, address owner) returns (uint256)',
  'function withdraw(uint256 assets, address receiver, address controller) returns (uint256)',
])
