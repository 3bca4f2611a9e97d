import { base58 } from '@scure/base'
import { createKeyPairFromPrivateKeyBytes } from '@solana/keys'
import {
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  partiallySignTransaction,
} from '@solana/transactions'
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EvmCall, SvmCall } from '../port/calls.ts'
import type { Network } from '../port/networks.ts'
import type { EvmSenderState, SvmSenderState } from '../port/sender-state.ts'
import { associatedTokenAddress } from '../solana/addresses/associated-token-address.ts'
import {
  createAssociatedTokenIdempotent,
  memo,
  setComputeBudget,
  transferTokens,
} from '../solana/transactions/instructions.ts'
import { compile } from '../solana/transactions/message.ts'

/** Addresses of development chains with keys derived from 32 secret bytes, and transfers from them. */

/** Ample for a transfer of any token of the development chains. */
const EVM_GAS = 120_000n
const SVM_UNITS = 100_000n
/** The base fee may rise a lot before stored bytes are sent again. */
const FEE_MULTIPLIER = 20n

export interface TokenTransfer {
  readonly token: string
  readonly to: string
  /** Base units. */
  readonly amount: bigint
}

/** The address of a secret on a chain. */
export async function addressFromSecret({ family }: Network, secret: Uint8Array): Promise<string> {
  if (family === 'evm') return privateKeyToAccount(toHex(secret)).address
  const { publicKey } = await createKeyPairFromPrivateKeyBytes(secret, true)
  return base58.encode(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))
}

/** The call of a transfer, to be simulated before it is signed. */
export async function tokenTransferCall(
  { family }: Network,
  from: string,
  { token, to, amount }: TokenTransfer,
): Promise<EvmCall | SvmCall> {
  if (family === 'evm') {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, amount] })
    return { family, to: token, data, value: 0n }
  }
  const [source, target] = await Promise.all([associatedTokenAddress(from, token), associatedTokenAddress(to, token)])
  const instructions = [
    createAssociatedTokenIdempotent(from, to, token, target),
    transferTokens(source, target, from, amount),
  ]
  return { family, instructions }
}

/** The maximum cost of a transfer, in native base units. */
export function tokenTransferCost(senderState: EvmSenderState | SvmSenderState): bigint {
  // On Solana: the signature, the rent of a token account that it may have to open, and the sender's own rent.
  return senderState.family === 'evm' ? EVM_GAS * senderState.maxFeePerGas * FEE_MULTIPLIER : 4_000_000n
}

export interface SecretSigningContext {
  readonly network: Network
  readonly secret: Uint8Array
  readonly address: string
  /** The nonce on EVM chains; on Solana part of the memo. */
  readonly number: number
  readonly senderState: EvmSenderState | SvmSenderState
}

/** Signed bytes of a transfer and their hash, before anything is sent: the caller stores them first, then sends. */
export async function signTokenTransfer(
  { network, secret, address, number, senderState }: SecretSigningContext,
  transfer: TokenTransfer,
): Promise<{ raw: string; hash: string }> {
  const call = await tokenTransferCall(network, address, transfer)
  if (senderState.family === 'evm' && call.family === 'evm') {
    const raw = await privateKeyToAccount(toHex(secret)).signTransaction({
      type: 'eip1559',
      chainId: network.chainId!,
      nonce: number,
      gas: EVM_GAS,
      maxFeePerGas: senderState.maxFeePerGas * FEE_MULTIPLIER,
      maxPriorityFeePerGas: senderState.maxPriorityFeePerGas,
      to: call.to as Address,
      data: call.data as Hex,
      value: call.value,
    })
    return { raw, hash: keccak256(raw) }
  }
  if (senderState.family !== 'svm' || call.family !== 'svm')
    throw new Error('assertion failed: sender state of the same chain')
  const all = [...setComputeBudget(SVM_UNITS, 0n), ...call.instructions, memo(`weir return ${number}`)]
  const unsigned = compile(address, all, senderState.lifetime.blockhash)
  const signed = await partiallySignTransaction([await createKeyPairFromPrivateKeyBytes(secret, true)], unsigned)
  return { raw: getBase64EncodedWireTransaction(signed), hash: getSignatureFromTransaction(signed) }
}
