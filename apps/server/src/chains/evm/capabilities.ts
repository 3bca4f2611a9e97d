import type { ChainCapabilities } from '../port/capabilities.ts'
import { bytesValidity } from './bytes-validity.ts'
import { decodeUnsigned } from './decode-unsigned.ts'
import { canReplace, networkFee, replacementFees } from './fees.ts'
import { isSignedBy } from './is-signed-by.ts'
import { transfers } from './transfers.ts'

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
