import { createPublicKey, verify } from 'node:crypto'
import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getAddressEncoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type ReadonlyUint8Array,
  type Signature,
  type Transaction,
} from '@solana/kit'
import { SUPPORTED_MEMO_PROGRAM_ADDRESSES } from '@solana-program/memo'

export type Message = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime & { version: 'legacy' | 0 }

/** A received transaction, decoded. */
export type Wire = {
  readonly bytes: Uint8Array
  readonly transaction: Transaction
  readonly message: Message
  /** Base58 of the first signature: the transaction's id. */
  readonly signature: Signature
  readonly memo: string | null
}

/** The most that fits into one network packet. */
const MAX_BYTES = 1232

/** Throws an Error when the bytes are not a complete legacy or version-0 transaction. */
export function readWire(bytes: Uint8Array): Wire {
  if (bytes.length > MAX_BYTES) throw new Error(`too large: ${bytes.length} bytes (max: ${MAX_BYTES})`)
  const transaction = getTransactionDecoder().decode(bytes)
  const message = readMessage(transaction.messageBytes)
  return { bytes, transaction, message, signature: signatureOf(transaction), memo: memoOf(message) }
}

/** Throws when the bytes are not exactly one message. */
export function readMessage(bytes: ReadonlyUint8Array): Message {
  const message = getCompiledTransactionMessageDecoder().decode(bytes)
  if (message.version !== 'legacy' && message.version !== 0) throw new Error(`unsupported version ${message.version}`)
  const again = getCompiledTransactionMessageEncoder().encode(message)
  if (!Buffer.from(again).equals(Uint8Array.from(bytes))) throw new Error('bytes that are not canonical')
  return message as Message
}

/** Unsigned bytes have no id yet; only simulation accepts them. */
function signatureOf(transaction: Transaction): Signature {
  const first = Object.values(transaction.signatures)[0]
  if (first === undefined) throw new Error('no signer')
  return first === null ? ('1'.repeat(64) as Signature) : getSignatureFromTransaction(transaction)
}

/** The DER prefix of an Ed25519 public key. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether all required signers have signed these bytes. */
export function isFullySigned({ transaction }: Wire): boolean {
  return Object.entries(transaction.signatures).every(([address, signature]) => {
    if (signature === null) return false
    const der = Buffer.concat([ED25519_PREFIX, Buffer.from(getAddressEncoder().encode(address as Address))])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verify(null, Buffer.from(transaction.messageBytes), key, Buffer.from(signature))
  })
}

export type AccountKey = { readonly address: Address; readonly signer: boolean; readonly writable: boolean }

/** The accounts of a message, in order. This chain has no lookup tables. */
export function accountKeys({ header, staticAccounts }: Message): AccountKey[] {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  return staticAccounts.map((address, index) => {
    const signer = index < numSignerAccounts
    const end = signer
      ? numSignerAccounts - numReadonlySignerAccounts
      : staticAccounts.length - numReadonlyNonSignerAccounts
    return { address, signer, writable: index < end }
  })
}

const MEMO_PROGRAMS: ReadonlySet<string> = new Set(SUPPORTED_MEMO_PROGRAM_ADDRESSES)

/** The memo as nodes list it with a signature: `[5] hello`, several joined by `; `. */
function memoOf(message: Message): string | null {
  const memos = message.instructions.flatMap(({ programAddressIndex, data }) => {
    if (!MEMO_PROGRAMS.has(message.staticAccounts[programAddressIndex] ?? '')) return []
    return [`[${data?.length ?? 0}] ${Buffer.from(data ?? []).toString('utf8')}`]
  })
  return memos.length === 0 ? null : memos.join('; ')
}
