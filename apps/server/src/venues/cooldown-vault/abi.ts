import { parseAbi } from 'viem'

/** What a vault with a cooldown adds to ERC-4626, as Ethena's staked dollar has it, and the events that are read. */
export const cooldownVaultAbi = parseAbi([
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'function cooldownDuration() view returns (uint24)',
  'function cooldowns(address owner) view returns (uint104 cooldownEnd, uint152 underlyingAmount)',
  'function cooldownAssets(uint256 assets) returns (uint256)',
  'function cooldownShares(uint256 shares) returns (uint256)',
  'function unstake(address receiver)',
])

export const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
