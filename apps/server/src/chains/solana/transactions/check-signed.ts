import { type Address, getPublicKeyFromAddress } from '@solana/addresses'
import { verifySignature } from '@solana/keys'
import { getBase64EncodedWireTransaction, getSignatureFromTransaction, type Transaction } from '@solana/transactions'
import { Failure, SIGNED_TRANSACTION_BYTES_MAX, validationError } from '../../../kernel/index.ts'
import { sameInstructions, svmCall } from '../../port/calls.ts'
import type { ExpectedTransaction, SvmSignedTransaction } from '../../port/transaction-bytes.ts'
import { withoutComputeBudget } from './compute-budget.ts'
import { type DecodedMessage, decodeMessage, decodeTransaction } from './message.ts'

const FIELD = 'signedTransaction'

/**
 * Checks that signed bytes are the planned transaction: signer, instructions and blockhash as planned; the cost is the
 * signer's choice. Never sends. Throws TRANSACTION_MISMATCH with `details.fields`, even for a signature that the planned
 * signer did not make (as on EVM chains, where it recovers to somebody else), or VALIDATION_ERROR for anything but a
 * signed transaction.
 */
export async function checkSigned(text: string, plan: ExpectedTransaction): Promise<SvmSignedTransaction> {
  const { transaction, message, raw } = read(text)
  const [sender] = Object.keys(transaction.signatures) as Address[]
  const signature = sender && transaction.signatures[sender]
  if (!signature || signature.every((byte) => byte === 0)) throw validationError(FIELD, 'the transaction is not signed')
  const fields = differences(message, plan)
  if (fields.length > 0) throw mismatch(fields)
  const key = await getPublicKeyFromAddress(sender)
  if (!(await verifySignature(key, signature, transaction.messageBytes))) {
    throw mismatch(['signature'])
  }
  return { family: 'svm', hash: getSignatureFromTransaction(transaction), raw }
}

function mismatch(fields: readonly string[]): Failure {
  return new Failure('TRANSACTION_MISMATCH', {
    message: `The signed transaction is not the one that was planned: it differs in ${fields.join(', ')}.`,
    details: { fields },
  })
}

function read(text: string): { transaction: Transaction; message: DecodedMessage; raw: string } {
  if (text.length > SIGNED_TRANSACTION_BYTES_MAX) throw validationError(FIELD, 'the transaction is too long')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw validationError(FIELD, 'not base64')
  try {
    const transaction = decodeTransaction(text)
    const message = decodeMessage(transaction.messageBytes)
    const raw = getBase64EncodedWireTransaction(transaction)
    if (raw !== text) throw new Error('the bytes change when encoded again')
    return { transaction, message, raw }
  } catch {
    throw validationError(FIELD, 'not a transaction in its canonical form')
  }
}

/** The fields in which signed bytes differ from the plan; empty if they match. */
function differences(message: DecodedMessage, { sender, call, blockhash }: ExpectedTransaction): string[] {
  const same: Readonly<Record<string, boolean>> = {
    version: message.version === 0 && !message.hasLookups,
    sender: message.accounts[0] === sender && message.signers === 1,
    instructions: sameInstructions(withoutComputeBudget(message.instructions), svmCall(call).instructions),
    blockhash: message.blockhash === blockhash,
  }
  return Object.keys(same).filter((field) => same[field] === false)
}
