import { type Address, getPublicKeyFromAddress } from '@solana/addresses'
import { verifySignature } from '@solana/keys'
import { getBase64EncodedWireTransaction, getSignatureFromTransaction, type Transaction } from '@solana/transactions'
import { Failure, invalid, SIGNED_TRANSACTION_BYTES_MAX } from '../../kernel/index.ts'
import { sameInstructions, svmCall } from '../calls.ts'
import type { SignedCheck, SvmSigned } from '../port.ts'
import { withoutBudget } from './budget.ts'
import { type Message, readMessage, readTransaction } from './message.ts'

const FIELD = 'signedTransaction'

/**
 * Checks that signed bytes are the planned transaction: signer, instructions and blockhash as planned; what it may cost
 * is the signer's. Never sends. Throws TRANSACTION_MISMATCH with `details.fields`, or VALIDATION_ERROR for what is no
 * signed transaction.
 */
export async function checkSigned(text: string, plan: SignedCheck): Promise<SvmSigned> {
  const { transaction, message, raw } = read(text)
  const [sender] = Object.keys(transaction.signatures) as Address[]
  const signature = sender && transaction.signatures[sender]
  if (!signature || signature.every((byte) => byte === 0)) throw invalid(FIELD, 'the transaction is not signed')
  const fields = differences(message, plan)
  if (fields.length > 0) {
    throw new Failure('TRANSACTION_MISMATCH', {
      message: `The signed transaction is not the one that was planned: it differs in ${fields.join(', ')}.`,
      details: { fields },
    })
  }
  const key = await getPublicKeyFromAddress(sender)
  if (!(await verifySignature(key, signature, transaction.messageBytes))) {
    throw invalid(FIELD, 'the signature does not fit the transaction')
  }
  return { family: 'svm', hash: getSignatureFromTransaction(transaction), raw }
}

function read(text: string): { transaction: Transaction; message: Message; raw: string } {
  if (text.length > SIGNED_TRANSACTION_BYTES_MAX) throw invalid(FIELD, 'the transaction is too long')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw invalid(FIELD, 'not base64')
  try {
    const transaction = readTransaction(text)
    const message = readMessage(transaction.messageBytes)
    const raw = getBase64EncodedWireTransaction(transaction)
    if (raw !== text) throw new Error('other bytes than those that were read')
    return { transaction, message, raw }
  } catch {
    throw invalid(FIELD, 'not a transaction in its canonical form')
  }
}

/** The fields in which signed bytes differ from a plan; none when they are its transaction. */
function differences(message: Message, { sender, call, blockhash }: SignedCheck): string[] {
  const same: Readonly<Record<string, boolean>> = {
    version: message.version === 0 && !message.hasLookups,
    sender: message.accounts[0] === sender && message.signers === 1,
    instructions: sameInstructions(withoutBudget(message.instructions), svmCall(call).instructions),
    blockhash: message.blockhash === blockhash,
  }
  return Object.keys(same).filter((field) => same[field] === false)
}
