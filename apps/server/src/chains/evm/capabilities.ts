import type { ChainCapabilities } from '../port/capabilities.ts'
import { canReplace, networkFee, replacementFees } from './fees/fees.ts'
import { transfers } from './history/transfers.ts'
import { bytesValidity } from './transactions/bytes-validity.ts'
import { decodeUnsigned } from './transactions/decode-unsigned.ts'
import { isSignedBy } from './transactions/is-signed-by.ts'

export const EVM_CAPABILITIES: ChainCapabilities = {
  nativeDecimals: 18,
  replayProtection: 'nonce',
  needsApprovals: true,
  tokenAccountRent: 0n,
  keepsPending: true,
  readsPastBalances: true,
  hasFrequentBlocks: false,
  networkFee,
  bytesValidity,
  gasLimitOf: (unsignedBytes) => decodeUnsigned(unsignedBytes).gasLimit,
  unsignedFields: decodeUnsigned,
  replacementFees,
  canReplace,
  isSignedBy,
  transfers,
}
