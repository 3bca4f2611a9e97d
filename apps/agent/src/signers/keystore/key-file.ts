import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Keystore } from 'ox'
import { getAddress, isAddress } from 'viem'
import type { Family } from '../port.ts'
import { addressOf } from './keys.ts'

/** One key in the folder: known by its address without being opened. */
export type KeyFile = {
  readonly family: Family
  readonly address: string
  /** The name of a key that an action created. */
  readonly reference: string | undefined
} & ({ readonly sealed: Keystore.Keystore } | { readonly secret: Uint8Array })

type Written = Keystore.Keystore & {
  readonly address?: string
  readonly weir?: { readonly family: Family; readonly label: string; readonly reference: string }
}

/**
 * Reads a key file: a JSON keystore (version 3; with the address in it, as geth and Foundry write them), or a keypair of
 * Solana's own tools, which is not encrypted and therefore must be readable by its owner alone. Throws with a sentence.
 */
export function readKeyFile(path: string): KeyFile {
  const json = parse(path)
  if (Array.isArray(json)) return keypair(path, json)
  const sealed = json as Written
  if (sealed?.version !== 3 || typeof sealed.crypto !== 'object') throw new Error(`${path} is not a key file`)
  const family = sealed.weir?.family ?? 'evm'
  const reference = sealed.weir?.reference
  const address = family === 'evm' ? checksummed(sealed.address) : sealed.address
  if (address === undefined) throw new Error(`${path} does not contain the address of its key`)
  return { family, address, reference, sealed }
}

/** Writes a sealed key atomically; it is on disk when this returns. */
export function writeKeyFile(
  dir: string,
  sealed: Keystore.Keystore,
  key: { family: Family; address: string; label: string; reference: string },
): void {
  const { family, address, label, reference } = key
  // Geth writes the address without 0x.
  const text = JSON.stringify({
    address: family === 'evm' ? address.slice(2).toLowerCase() : address,
    ...sealed,
    weir: { family, label, reference },
  })
  const path = join(dir, `${address}.json`)
  const file = openSync(`${path}.new`, 'w', 0o600)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
  renameSync(`${path}.new`, path)
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function keypair(path: string, numbers: readonly unknown[]): KeyFile {
  const bytes = Uint8Array.from(numbers as number[])
  const secret = bytes.subarray(0, 32)
  const isPair = bytes.length === 64 && numbers.every((byte) => Number.isInteger(byte) && (byte as number) < 256)
  if (!isPair) throw new Error(`${path} is not a keypair of 64 bytes`)
  if ((statSync(path).mode & 0o077) !== 0)
    throw new Error(`${path} holds an unencrypted key that others can read: chmod 600`)
  return { family: 'svm', address: addressOf('svm', secret), reference: undefined, secret }
}

function checksummed(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const written = text.startsWith('0x') ? text : `0x${text}`
  return isAddress(written, { strict: false }) ? getAddress(written) : undefined
}
