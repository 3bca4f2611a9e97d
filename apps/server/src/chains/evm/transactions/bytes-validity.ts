import { assert } from '../../../kernel/index.ts'
import type { BytesValidity, UnsentBytes } from '../../port/capabilities.ts'
import { asEvmSenderState, type SenderState } from '../../port/sender-state.ts'
import { decodeUnsigned } from './decode-unsigned.ts'

/** Bytes are valid until their nonce is used, and land while their fee cap is not below the base fee. */
export function bytesValidity({ nonce, unsignedBytes }: UnsentBytes, senderState: SenderState): BytesValidity {
  assert(nonce !== null, 'bytes of an EVM chain have a nonce')
  const { nonces, baseFeePerGas } = asEvmSenderState(senderState)
  if (nonce < nonces.latest) return 'expired'
  return decodeUnsigned(unsignedBytes).maxFeePerGas < baseFeePerGas ? 'underpriced' : 'valid'
}
