import { assert } from '../../kernel/index.ts'
import type { BytesValidity, UnsentBytes } from '../port/capabilities.ts'
import type { SenderState } from '../port/sender-state.ts'
import type { SignedTransaction } from '../port/transaction-bytes.ts'
import { decodeUnsigned } from './decode-unsigned.ts'
import { asEvmSenderState } from './sender-state.ts'

/** Bytes are valid until their nonce is used, and land while their fee cap is not below the base fee. */
export function bytesValidity({ nonce, unsignedBytes }: UnsentBytes, senderState: SenderState): BytesValidity {
  assert(nonce !== null, 'bytes of an EVM chain have a nonce')
  const { nonces, baseFeePerGas } = asEvmSenderState(senderState)
  if (nonce < nonces.latest) return 'expired'
  return decodeUnsigned(unsignedBytes).maxFeePerGas < baseFeePerGas ? 'underpriced' : 'valid'
}

/** Nodes accept a replacement whose fees are both at least a tenth higher. */
export function canReplace(replacement: SignedTransaction, pending: SignedTransaction): boolean {
  assert(replacement.family === 'evm' && pending.family === 'evm', 'signed EVM transactions')
  return (
    replacement.maxFeePerGas * 10n >= pending.maxFeePerGas * 11n &&
    replacement.maxPriorityFeePerGas * 10n >= pending.maxPriorityFeePerGas * 11n
  )
}
