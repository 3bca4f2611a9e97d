const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BASE = BigInt(DIGITS.length)

/** How Solana writes addresses. Each leading zero byte is a digit of its own. */
export function toBase58(bytes: Uint8Array): string {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  let text = ''
  for (; value > 0n; value /= BASE) text = DIGITS[Number(value % BASE)] + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return DIGITS[0]!.repeat(zeros === -1 ? bytes.length : zeros) + text
}
