import { createHash } from 'node:crypto'
import { programDerivedAddress } from '../../chains/index.ts'

/** Kamino Lend on mainnet. */
export const KAMINO_PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'
/** Through this account the program reads the other instructions of its transaction. */
export const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111'

/** The program is built with Anchor, which identifies instructions and accounts by the hash of their names. */
export function discriminator(kind: 'global' | 'account', name: string): Buffer {
  return createHash('sha256').update(`${kind}:${name}`).digest().subarray(0, 8)
}

/** The address that signs inside the program for a lending market's holdings; derived from the market alone. */
export function lendingMarketAuthority(lendingMarket: string): Promise<string> {
  return programDerivedAddress(KAMINO_PROGRAM, [Buffer.from('lma'), { address: lendingMarket }])
}
