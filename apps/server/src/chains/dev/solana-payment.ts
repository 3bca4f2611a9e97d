import { createKeyPairFromBytes } from '@solana/keys'
import {
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  partiallySignTransaction,
} from '@solana/transactions'
import type { SvmCall } from '../port/calls.ts'
import type { SvmSenderState } from '../port/sender-state.ts'
import { associatedTokenAddress } from '../solana/addresses/associated-token-address.ts'
import {
  createAssociatedTokenIdempotent,
  memo,
  mintTo,
  setComputeBudget,
  transferNative,
} from '../solana/transactions/instructions.ts'
import { compile } from '../solana/transactions/message.ts'
import type { TreasuryPayment } from './treasury.ts'

/** Ample for opening a token account and minting into it. */
const PAYMENT_UNITS = 100_000n

/** The call of a treasury payment, to be simulated before it is signed. */
export async function solanaPaymentCall(treasury: string, payment: TreasuryPayment): Promise<SvmCall> {
  const { token, to, amount } = payment
  if (token === 'native') return { family: 'svm', instructions: [transferNative(treasury, to, amount)] }
  const account = await associatedTokenAddress(to, token)
  const open = createAssociatedTokenIdempotent(treasury, to, token, account)
  return { family: 'svm', instructions: [open, mintTo(token, account, treasury, amount)] }
}

export interface SolanaSigningContext {
  readonly address: string
  /** 32 bytes of private key, then 32 of public key. */
  readonly secretKey: Uint8Array
  readonly senderState: SvmSenderState
  /** Part of the memo, so that equal payments are different transactions. */
  readonly number: number
}

/** Signed bytes of a payment and their signature, before anything is sent: the caller stores them first, then sends. */
export async function signSolanaPayment(
  { address, secretKey, senderState, number }: SolanaSigningContext,
  payment: TreasuryPayment,
): Promise<{ raw: string; hash: string }> {
  const { instructions } = await solanaPaymentCall(address, payment)
  const all = [...setComputeBudget(PAYMENT_UNITS, 0n), ...instructions, memo(`weir treasury ${number}`)]
  const unsigned = compile(address, all, senderState.lifetime.blockhash)
  const signed = await partiallySignTransaction([await createKeyPairFromBytes(secretKey)], unsigned)
  return { raw: getBase64EncodedWireTransaction(signed), hash: getSignatureFromTransaction(signed) }
}
