import { base58 } from '@scure/base'
import { getAddress, isAddress } from 'viem'
import { type Blockchain, FAMILIES } from '../port/networks.ts'

/**
 * EIP-55 spelling of an EVM address; `undefined` when malformed. A single-case address is accepted; mixed case is a
 * checksum, and a wrong checksum is malformed (contract 1).
 */
export function normalizeEvmAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const digits = text.slice(2)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (oneCase) return getAddress(`0x${digits.toLowerCase()}`)
  return isAddress(text, { strict: true }) ? text : undefined
}

/** Lower-case hash of 32 bytes; `undefined` when malformed. */
export function normalizeEvmHash(text: string): string | undefined {
  return /^0x[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : undefined
}

/** A Solana address: base58 of 32 bytes, which has only one spelling; `undefined` when malformed. */
function normalizeSolanaAddress(text: string): string | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return undefined
  return base58.decode(text).length === 32 ? text : undefined
}

const NORMALIZERS = { evm: normalizeEvmAddress, svm: normalizeSolanaAddress } as const

/** An address in its chain's canonical spelling; `undefined` when malformed there. Needs no node. */
export function normalizeAddress(blockchain: Blockchain, text: string): string | undefined {
  return NORMALIZERS[FAMILIES[blockchain]](text)
}

/** The families whose form the text has: at most one, since no EVM address is base58 (it contains a 0). */
export function addressFamilies(text: string): ('evm' | 'svm')[] {
  if (normalizeEvmAddress(text) !== undefined) return ['evm']
  return normalizeSolanaAddress(text) === undefined ? [] : ['svm']
}
