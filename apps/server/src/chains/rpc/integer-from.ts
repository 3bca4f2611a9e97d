import { requestRejected } from './rpc.ts'

/** At most 256 bits, as hexadecimal or decimal text. Nodes write quantities in hexadecimal, Solana amounts in decimal. */
const INTEGER = /^(?:0x[0-9a-f]{1,64}|[0-9]{1,78})$/i
/** The largest number that a field of Solana has; JSON carries it without its last digits. */
const AFTER_64_BITS = 2 ** 64

/**
 * An unsigned integer of at most 256 bits from a node's response. A longer one would hold the event loop for seconds as
 * soon as it is multiplied or printed, and no database stores it. Error: CHAIN_UNAVAILABLE.
 */
export function integerFrom(field: string, value: unknown): bigint {
  if (typeof value === 'string' && INTEGER.test(value)) return BigInt(value)
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= AFTER_64_BITS) return BigInt(value)
  throw requestRejected(field, 'the node returned no unsigned integer of at most 256 bits')
}

/** A block number, a nonce or a time of a node's response. Error: CHAIN_UNAVAILABLE. */
export function safeIntegerFrom(field: string, value: unknown): number {
  const integer = Number(integerFrom(field, value))
  if (Number.isSafeInteger(integer)) return integer
  throw requestRejected(field, 'the node returned a number that is too large')
}

/** The time of a block, from Unix seconds. Error: CHAIN_UNAVAILABLE. */
export function timeFrom(field: string, seconds: unknown): Date {
  const time = new Date(safeIntegerFrom(field, seconds) * 1_000)
  if (!Number.isNaN(time.getTime())) return time
  throw requestRejected(field, 'the node returned a time that does not exist')
}
