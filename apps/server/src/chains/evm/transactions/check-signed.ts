import { Failure } from '../../../kernel/index.ts'
import { evmCall } from '../../port/calls.ts'
import type { EvmSignedTransaction, ExpectedTransaction } from '../../port/transaction-bytes.ts'
import { type DecodedTransaction, decodeSigned } from './decode-signed.ts'

/**
 * Checks that signed bytes are the planned transaction: signer, chain, nonce, destination, value and data as planned,
 * no access list; fees and gas are the signer's choice (contract 6). Never sends. Throws TRANSACTION_MISMATCH with
 * `details.fields`, or the errors of {@link decodeSigned}.
 */
export async function checkSigned(
  chainId: number,
  text: string,
  plan: ExpectedTransaction,
): Promise<EvmSignedTransaction> {
  const content = await decodeSigned(text)
  const fields = differences(chainId, content, plan)
  if (fields.length > 0) {
    throw new Failure('TRANSACTION_MISMATCH', {
      message: `The signed transaction is not the one that was planned: it differs in ${fields.join(', ')}.`,
      details: { fields },
    })
  }
  const { hash, raw, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = content
  return { family: 'evm', hash, raw, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }
}

/** The fields in which signed bytes differ from the plan; empty if they match. */
function differences(
  chainId: number,
  content: DecodedTransaction,
  { sender, nonce, ...planned }: ExpectedTransaction,
): string[] {
  const call = evmCall(planned.call)
  const same: Readonly<Record<string, boolean>> = {
    sender: content.sender === sender,
    chainId: content.chainId === chainId,
    nonce: content.nonce === nonce,
    to: content.to === call.to,
    value: content.value === call.value,
    data: content.data === call.data,
    accessList: !content.hasAccessList,
  }
  return Object.keys(same).filter((field) => same[field] === false)
}
