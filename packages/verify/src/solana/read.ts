import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from '@solana/transaction-messages'
import { getBase64EncodedWireTransaction, getTransactionDecoder } from '@solana/transactions'
import { Refusal, refuseUnless } from '../refusal.ts'

export interface SolanaInstruction {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Buffer
}

/** An unsigned transaction of one signer. */
export interface SolanaTransaction {
  /** Signs and pays. */
  readonly signer: string
  readonly blockhash: string
  readonly instructions: readonly SolanaInstruction[]
}

/** The network's size limit, as base64. */
const LONGEST = 1_644

/**
 * Decodes an unsigned version-0 transaction in base64, then encodes and compares it byte by byte. Refuses signatures,
 * further signers, lookup tables (their accounts are not in the bytes) and unused accounts.
 */
export function readSolana(unsigned: string): SolanaTransaction {
  refuseUnless(
    unsigned.length <= LONGEST && /^[A-Za-z0-9+/]+={0,2}$/.test(unsigned),
    'MALFORMED',
    'the bytes are not a Solana transaction in base64',
  )
  const { message, signatures } = decode(unsigned)
  refuseUnless(message.version === 0, 'MALFORMED', `the message has version ${message.version}, not 0`)
  const { header, staticAccounts: accounts, instructions, lifetimeToken } = message
  refuseUnless(
    header.numSignerAccounts === 1 && header.numReadonlySignerAccounts === 0 && signatures.length === 1,
    'SOMETHING_ELSE',
    `the transaction asks for ${header.numSignerAccounts} signatures; the wallet's is the only one`,
  )
  refuseUnless(signatures[0] === null, 'MALFORMED', 'the transaction is signed already')
  refuseUnless((message.addressTableLookups ?? []).length === 0, 'SOMETHING_ELSE', 'the transaction uses lookup tables')
  refuseUnless(new Set(accounts).size === accounts.length, 'MALFORMED', 'an account is listed twice')
  const used = new Set([0, ...instructions.flatMap((one) => [one.programAddressIndex, ...(one.accountIndices ?? [])])])
  refuseUnless(
    accounts.every((_, index) => used.has(index)) && used.size === accounts.length,
    'SOMETHING_ELSE',
    'the accounts of the transaction are not those of its instructions',
  )
  return {
    signer: accounts[0]!,
    blockhash: lifetimeToken,
    instructions: instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
      program: accounts[programAddressIndex]!,
      accounts: accountIndices.map((index) => accounts[index]!),
      data: Buffer.from(data ?? []),
    })),
  }
}

type Compiled = Extract<CompiledTransactionMessage & CompiledTransactionMessageWithLifetime, { version: 0 }>

function decode(unsigned: string): { message: Compiled; signatures: readonly (Uint8Array | null)[] } {
  const malformed = (what: string) => new Refusal('MALFORMED', `the bytes are ${what}`)
  try {
    const transaction = getTransactionDecoder().decode(Buffer.from(unsigned, 'base64'))
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) as Compiled
    const again = Buffer.from(getCompiledTransactionMessageEncoder().encode(message))
    const same =
      getBase64EncodedWireTransaction(transaction) === unsigned && again.equals(Buffer.from(transaction.messageBytes))
    if (!same) throw malformed('not the canonical form of the transaction in them')
    return { message, signatures: Object.values(transaction.signatures) }
  } catch (error) {
    throw error instanceof Refusal ? error : malformed('not a Solana transaction')
  }
}
