import type { Address } from '@solana/addresses'
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/transaction-messages'
import { compileTransaction, getTransactionDecoder, type Transaction } from '@solana/transactions'
import type { SvmInstruction } from '../../port/calls.ts'

type KitLifetime = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0]

/** A version-0 transaction with one signer, who pays for it, without lookup tables; unsigned. */
export function compile(payer: string, instructions: readonly SvmInstruction[], blockhash: string): Transaction {
  // The height is not part of the bytes.
  const lifetime = { blockhash, lastValidBlockHeight: 0n } as KitLifetime
  const empty = setTransactionMessageFeePayer(payer as Address, createTransactionMessage({ version: 0 }))
  const message = setTransactionMessageLifetimeUsingBlockhash(lifetime, empty)
  return compileTransaction(appendTransactionMessageInstructions(instructions.map(toKit), message))
}

function toKit({ program, accounts, data }: SvmInstruction) {
  return {
    programAddress: program as Address,
    accounts: accounts.map(({ address, signer, writable }) => ({
      address: address as Address,
      // Kit's role numbers: bit 2 signs, bit 1 writes.
      role: (signer ? 2 : 0) | (writable ? 1 : 0),
    })),
    data: Uint8Array.from(Buffer.from(data, 'base64')),
  }
}

/** The content of a message, in the terms of plans. */
export interface DecodedMessage {
  readonly version: 'legacy' | number
  readonly blockhash: string
  /** Every account, in the order of a transaction's balances; the first one pays. */
  readonly accounts: readonly string[]
  readonly signers: number
  readonly hasLookups: boolean
  /** All instructions, including those that only set the cost. */
  readonly instructions: readonly SvmInstruction[]
}

/**
 * Decodes a message. `loaded`: the accounts that it takes from lookup tables, as reported by its block. Throws for
 * bytes that are not a message of a known version.
 */
export function decodeMessage(bytes: Transaction['messageBytes'], loaded: readonly string[] = []): DecodedMessage {
  const message = getCompiledTransactionMessageDecoder().decode(bytes)
  if (message.version !== 'legacy' && message.version !== 0) throw new Error(`unknown version ${message.version}`)
  const { header, staticAccounts, instructions, lifetimeToken } = message
  const accounts = [...staticAccounts, ...loaded]
  const isSigner = (index: number) => index < header.numSignerAccounts
  const isWritable = (index: number) =>
    isSigner(index)
      ? index < header.numSignerAccounts - header.numReadonlySignerAccounts
      : index < staticAccounts.length - header.numReadonlyNonSignerAccounts
  return {
    version: message.version,
    blockhash: lifetimeToken,
    accounts,
    signers: header.numSignerAccounts,
    hasLookups: message.version === 0 && (message.addressTableLookups?.length ?? 0) > 0,
    instructions: instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
      program: accounts[programAddressIndex] ?? '',
      accounts: accountIndices.map((index) => ({
        address: accounts[index] ?? '',
        signer: isSigner(index),
        writable: isWritable(index),
      })),
      data: Buffer.from(data ?? []).toString('base64'),
    })),
  }
}

/** Throws for bytes that are not a transaction. */
export function decodeTransaction(base64: string): Transaction {
  return getTransactionDecoder().decode(Buffer.from(base64, 'base64'))
}
