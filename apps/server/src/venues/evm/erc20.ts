import { parseAbi } from 'viem'

/** What venues use of ERC-20. Tether's `approve` returns nothing, which no caller here looks at. */
export const erc20Abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
])
