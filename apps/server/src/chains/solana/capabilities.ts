import { assert } from '../../kernel/index.ts'
import type { BytesValidity, ChainCapabilities, UnsentBytes } from '../port/capabilities.ts'
import type { SenderState } from '../port/sender-state.ts'
import { transfers } from './history/transfers.ts'
import { networkFee } from './sending/sender-state.ts'
import { computeUnitLimit } from './transactions/compute-budget.ts'
import { isSignedBy } from './transactions/is-signed-by.ts'
import { decodeMessage, decodeTransaction } from './transactions/message.ts'

/** Two years of rent for the 165 bytes of a token account, in lamports. */
const TOKEN_ACCOUNT_RENT = (128n + 165n) * 3_480n * 2n

export const SOLANA_CAPABILITIES: ChainCapabilities = {
  nativeDecimals: 9,
  replayProtection: 'blockhash',
  needsApprovals: false,
  tokenAccountRent: TOKEN_ACCOUNT_RENT,
  keepsPending: false,
  readsPastBalances: false,
  hasFrequentBlocks: true,
  networkFee,
  bytesValidity,
  gasLimitOf: (unsignedBytes) =>
    computeUnitLimit(decodeMessage(decodeTransaction(unsignedBytes).messageBytes).instructions),
  unsignedFields: () => undefined,
  replacementFees: () => undefined,
  // Another fee makes another transaction, and both may land.
  canReplace: () => false,
  isSignedBy,
  transfers,
}

function bytesValidity({ lastValidBlockHeight }: UnsentBytes, senderState: SenderState): BytesValidity {
  assert(senderState.family === 'svm', 'the state of a Solana sender')
  return senderState.height <= (lastValidBlockHeight ?? 0) ? 'valid' : 'expired'
}
