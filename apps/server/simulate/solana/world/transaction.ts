import { base58 } from '@scure/base'
import { getBase64EncodedWireTransaction, type Transaction } from '@solana/transactions'
import type { SvmInstruction } from '../../../src/chains/index.ts'
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM } from '../../../src/chains/solana/addresses/programs.ts'
import { computeUnitLimit } from '../../../src/chains/solana/transactions/compute-budget.ts'
import {
  compile,
  decodeTransaction as decodeKitTransaction,
  decodeMessage,
} from '../../../src/chains/solana/transactions/message.ts'
import type { Key } from './keys.ts'

/** A transaction decoded from its bytes. */
export interface DecodedTransaction {
  readonly raw: string
  readonly signature: string
  readonly sender: string
  readonly blockhash: string
  readonly accounts: readonly string[]
  /** All instructions, including those that set the compute budget. */
  readonly instructions: readonly SvmInstruction[]
  /** The compute unit limit. */
  readonly units: bigint
  /** Lamports. */
  readonly fee: bigint
  readonly memos: readonly string[]
}

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO = 1_000_000n

/** Decodes signed or unsigned bytes. */
export function decodeTransaction(raw: string): DecodedTransaction {
  const transaction = decodeKitTransaction(raw)
  const { accounts, blockhash, instructions } = decodeMessage(transaction.messageBytes)
  const units = computeUnitLimit(instructions)
  const priced = instructions.find(({ program, data }) => program === COMPUTE_BUDGET_PROGRAM && bytesOf(data)[0] === 3)
  const price = priced ? bytesOf(priced.data).readBigUInt64LE(1) : 0n
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM)
  return {
    raw,
    signature: base58.encode(Object.values(transaction.signatures)[0] ?? new Uint8Array(64)),
    sender: accounts[0]!,
    blockhash,
    accounts,
    instructions,
    units,
    fee: LAMPORTS_PER_SIGNATURE + (price * units + MICRO - 1n) / MICRO,
    memos: memos.map(({ data }) => bytesOf(data).toString()),
  }
}

/** Signs unsigned bytes as a wallet does. */
export function sign(key: Key, unsigned: string): string {
  return signed(key, decodeKitTransaction(unsigned))
}

/** Builds and signs a transaction. */
export function write(key: Key, instructions: readonly SvmInstruction[], blockhash: string): string {
  return signed(key, compile(key.address, instructions, blockhash))
}

function signed(key: Key, transaction: Transaction): string {
  const signature = key.sign(new Uint8Array(transaction.messageBytes))
  return getBase64EncodedWireTransaction({ ...transaction, signatures: { [key.address]: signature } } as Transaction)
}

export const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64')
