/** The order of secp256k1's group. */
export const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n

/** A signature as key services return it: a SEQUENCE of two INTEGERs. */
export function derOf(r: bigint, s: bigint): Buffer {
  const integer = (value: bigint): Buffer => {
    const hex = value.toString(16)
    const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
    const positive = bytes[0]! > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes
    return Buffer.concat([Buffer.of(2, positive.length), positive])
  }
  const content = Buffer.concat([integer(r), integer(s)])
  return Buffer.concat([Buffer.of(0x30, content.length), content])
}
