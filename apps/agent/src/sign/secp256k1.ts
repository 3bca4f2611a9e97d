import { type Address, getAddress, type Hex, numberToHex, recoverAddress } from 'viem'

const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n

export interface RecoverableSignature {
  readonly r: Hex
  readonly s: Hex
  readonly yParity: 0 | 1
}

/**
 * A signature as the network accepts it: s in the lower half (EIP-2), with the recovery id, which also proves that the
 * signer made it. `compact` is r and s, 32 bytes each. Throws when it is not the signer's.
 */
export async function recoverable(compact: Uint8Array, digest: Hex, signer: string): Promise<RecoverableSignature> {
  if (compact.length !== 64) throw new Error(`a signature has 64 bytes, not ${compact.length}`)
  const part = (from: number) => BigInt(`0x${Buffer.from(compact.subarray(from, from + 32)).toString('hex')}`)
  const [r, found] = [part(0), part(32)]
  if (r <= 0n || r >= ORDER || found <= 0n || found >= ORDER) throw new Error('the signature is out of range')
  const s = found > ORDER / 2n ? ORDER - found : found
  const text = (value: bigint) => numberToHex(value, { size: 32 })
  for (const yParity of [0, 1] as const) {
    const signature = { r: text(r), s: text(s), yParity }
    const address = await recoverAddress({ hash: digest, signature }).catch(() => undefined)
    if (address !== undefined && getAddress(address) === getAddress(signer as Address)) return signature
  }
  throw new Error(`the signature is not ${signer}'s`)
}

/** r and s, 32 bytes each, of a DER signature as key services return it: a SEQUENCE of two INTEGERs. */
export function compactOfDer(der: Uint8Array): Uint8Array {
  const bytes = Buffer.from(der)
  const wrong = (): never => {
    throw new Error('the signature is not in DER form')
  }
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2 || bytes.length > 72) wrong()
  let at = 2
  const integer = (): Buffer => {
    const length = bytes[at + 1] ?? 0
    const value = bytes.subarray(at + 2, at + 2 + length)
    if (bytes[at] !== 0x02 || length === 0 || value.length !== length || value[0]! > 0x7f) wrong()
    at += 2 + length
    const significant = value[0] === 0 ? value.subarray(1) : value
    if (significant.length > 32) wrong()
    return Buffer.concat([Buffer.alloc(32 - significant.length), significant])
  }
  const compact = Buffer.concat([integer(), integer()])
  return at === bytes.length ? compact : wrong()
}
