import { type Address, getProgramDerivedAddress } from '@solana/addresses'
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/transaction-messages'
import { compileTransaction, getBase64EncodedWireTransaction } from '@solana/transactions'
import { type Hex, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem'
import type { Verdict } from './verify.ts'

/** For tests: unsigned bytes, built by hand from the formats and not by the service. */
export function evmBytes(fields: Partial<TransactionSerializableEIP1559> & { to?: Hex | null; data?: Hex }): Hex {
  return serializeTransaction({
    type: 'eip1559',
    chainId: 31338,
    nonce: 7,
    gas: 300_000n,
    maxFeePerGas: 40_000_000_000n,
    maxPriorityFeePerGas: 30_000_000_000n,
    value: 0n,
    ...fields,
  })
}

export interface TestInstruction {
  readonly program: string
  /** `w` writes, `s` also signs. */
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

const BLOCKHASH = 'GHtXQBsoZHVnNFa9YevAzFr17DJjgHXk3ycTKD5xD3Zi'

export function solanaBytes(payer: string, instructions: readonly TestInstruction[]): string {
  const lifetime = { blockhash: BLOCKHASH, lastValidBlockHeight: 0n } as Parameters<
    typeof setTransactionMessageLifetimeUsingBlockhash
  >[0]
  const empty = setTransactionMessageFeePayer(payer as Address, createTransactionMessage({ version: 0 }))
  const message = setTransactionMessageLifetimeUsingBlockhash(lifetime, empty)
  const kit = instructions.map(({ program, accounts, data }) => ({
    programAddress: program as Address,
    accounts: accounts.map((text) => {
      const [flags, address] = text.includes(':') ? text.split(':') : ['', text]
      const role = (flags!.includes('s') ? 2 : 0) | (flags!.includes('w') ? 1 : 0)
      return { address: address as Address, role }
    }),
    data,
  }))
  return getBase64EncodedWireTransaction(compileTransaction(appendTransactionMessageInstructions(kit, message)))
}

export async function derivedFrom(program: string, seeds: readonly Uint8Array[]): Promise<string> {
  return (await getProgramDerivedAddress({ programAddress: program as Address, seeds: [...seeds] }))[0]
}

export const u64 = (value: bigint): number[] => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return [...bytes]
}

/** Every change of one byte by these patterns, at every position. */
export function* mutations(bytes: Uint8Array, patterns: readonly number[]): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) {
    for (const pattern of patterns) {
      const changed = Uint8Array.from(bytes)
      changed[at]! ^= pattern
      yield changed
    }
  }
}

/** One flipped bit in each byte, another one from byte to byte: for a check that is too slow for several changes each. */
export function* bitFlips(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) {
    const changed = Uint8Array.from(bytes)
    changed[at]! ^= 1 << (at % 8)
    yield changed
  }
}

/**
 * Whether the changed bytes are refused, or mean the same. The venue decides how many shares a whole position has; the
 * price decides, within bounds, how many a part has.
 */
export function harmless(verdict: Verdict, good: Verdict): boolean {
  if (!verdict.ok) return true
  const text = ({ meaning }: typeof verdict) => JSON.stringify({ ...meaning, shares: null }, texts)
  return good.ok && text(verdict) === text(good)
}

const texts = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
