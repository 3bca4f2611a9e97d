import { parseAbi } from 'viem'
import { type ContractRead, MULTICALL3 } from '../../chains/index.ts'

/** Multicall3 returns the time of the block that it reads in. */
export const CLOCK: ContractRead = {
  address: MULTICALL3,
  abi: parseAbi(['function getCurrentBlockTimestamp() view returns (uint256)']),
  functionName: 'getCurrentBlockTimestamp',
  args: [],
}
