import { randomBytes } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Blockchain } from '../../src/chains/index.ts'

let made = 0

/** An EVM address that no test has used and whose key nobody has. */
export function freshAddress(): string {
  made += 1
  return `0x${(0xabc0000000n + BigInt(made)).toString(16).padStart(40, '0')}`
}

/** The same, in the chain's own form. */
export function freshAddressOn(blockchain: Blockchain): string {
  return blockchain === 'solana' ? base58.encode(randomBytes(32)) : freshAddress()
}
