import { createHash } from 'node:crypto'
import { programDerivedAddress } from '../../chains/index.ts'

/** Kamino Lend on mainnet. */
export const KAMINO_PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'
/** Where the program looks at the transaction's other instructions. */
export const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111'

/** The program is built with Anchor, which tells instructions and accounts apart by the hash of their names. */
export function discriminator(kind: 'global' | 'account', name: string): Buffer {
  return createHash('sha256').update(`${kind}:${name}`).digest().subarray(0, 8)
}

/** Who signs inside the program for what a lending market holds; it follows from the market alone. */
export function lendingMarketAuthority(lendingMarket: string): Promise<string> {
  return programDerivedAddress(KAMINO_PROGRAM, [Buffer.from('lma'), { address: lendingMarket }])
}
