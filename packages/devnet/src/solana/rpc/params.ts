import { type Address, isAddress, isSignature, type Signature } from '@solana/kit'
import { INVALID_PARAMS, RpcError } from './json.ts'

/** The parameters of one call, read one at a time. Each method throws -32602 for a wrong shape. */
export type Params = {
  address(at: number): Address
  signature(at: number): Signature
  text(at: number): string
  integer(at: number, otherwise?: number): number
  list(at: number): readonly unknown[]
  /** The options object at this position; empty when omitted. */
  options(at: number): Options
}

export type Options = Readonly<Record<string, unknown>>

export function paramsOf(values: readonly unknown[]): Params {
  return {
    address: (at) => asAddress(values[at]),
    signature: (at) => asSignature(values[at]),
    text(at) {
      const value = values[at]
      return typeof value === 'string' ? value : refuse(`a string is expected as parameter ${at + 1}`)
    },
    integer(at, otherwise) {
      const value = values[at] ?? otherwise
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
        ? value
        : refuse(`an unsigned integer is expected as parameter ${at + 1}`)
    },
    list(at) {
      const value = values[at]
      return Array.isArray(value) ? value : refuse(`a list is expected as parameter ${at + 1}`)
    },
    options: (at) => asOptions(values[at]),
  }
}

export function asAddress(value: unknown): Address {
  return typeof value === 'string' && isAddress(value)
    ? value
    : refuse('WrongSize or not base58: an address is expected')
}

export function asSignature(value: unknown): Signature {
  return typeof value === 'string' && isSignature(value) ? value : refuse('a signature is expected')
}

export function asOptions(value: unknown): Options {
  if (value === undefined || value === null) return {}
  // Old clients send only the commitment, as a string. All commitments are equal here.
  if (typeof value === 'string') return { commitment: value }
  return typeof value === 'object' && !Array.isArray(value) ? (value as Options) : refuse('an object is expected')
}

export function refuse(message: string): never {
  throw new RpcError(INVALID_PARAMS, `Invalid param: ${message}`)
}
