import { parseAbi } from 'viem'

/** The parts of ERC-20 that venues use. Tether's `approve` returns nothing; no caller here reads its result. */
export const erc20Abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
])
