import { sha256 } from '../proofs/sha256.ts'
import { toBase58 } from './base58.ts'

export interface SolanaAccount {
  readonly address: string
  readonly signer: boolean
  readonly writable: boolean
}

export interface SolanaInstruction {
  readonly contract: string
  readonly accounts: readonly SolanaAccount[]
  /** Base64. */
  readonly data: string
}

export interface SolanaMessage {
  readonly instructions: readonly SolanaInstruction[]
  readonly blockhash: string
  /** SHA-256 of what a signer signs, in hex: what hardware wallets show. */
  readonly signingHash: string
}

const ADDRESS_BYTES = 32
const SIGNATURE_BYTES = 64
const VERSION_0 = 0x80

/**
 * Decodes an unsigned version-0 transaction of Solana. Throws if the bytes are not one, or use lookup tables: the
 * accounts in those are not in the bytes, so nobody here could show them.
 */
export async function decodeSolana(base64: string): Promise<SolanaMessage> {
  const reader = new Reader(bytesOf(base64))
  reader.take(reader.length() * SIGNATURE_BYTES)
  const message = reader.rest()
  if (reader.byte() !== VERSION_0) throw new Error('not a message of version 0')
  const [signers, readonlySigners, readonlyOthers] = [reader.byte(), reader.byte(), reader.byte()]
  const addresses = reader.list(() => toBase58(reader.take(ADDRESS_BYTES)))
  const blockhash = toBase58(reader.take(ADDRESS_BYTES))
  const accountAt = (index: number): SolanaAccount => {
    const address = addresses[index]
    if (address === undefined) throw new Error('an account that the message does not list')
    const signer = index < signers
    const writable = signer ? index < signers - readonlySigners : index < addresses.length - readonlyOthers
    return { address, signer, writable }
  }
  const instructions = reader.list(() => {
    const { address: contract } = accountAt(reader.byte())
    const accounts = reader.list(() => accountAt(reader.byte()))
    return { contract, accounts, data: base64Of(reader.take(reader.length())) }
  })
  if (reader.length() > 0) throw new Error('it uses lookup tables')
  if (reader.rest().length > 0) throw new Error('bytes behind its end')
  return { instructions, blockhash, signingHash: await sha256(new Blob([message])) }
}

export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

class Reader {
  readonly #bytes: Uint8Array<ArrayBuffer>
  #at = 0

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.take(1)[0]!
  }

  take(count: number): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(this.#at, this.#at + count)
    if (taken.length < count) throw new Error('the bytes end too early')
    this.#at += count
    return taken
  }

  rest(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(this.#at)
  }

  /** A length of one to three bytes, seven bits in each. */
  length(): number {
    let value = 0
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new Error('a length of more than three bytes')
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.length() }, read)
  }
}
