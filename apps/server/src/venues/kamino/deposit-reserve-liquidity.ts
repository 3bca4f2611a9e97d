import { readable, type SvmInstruction, TOKEN_PROGRAM, u64, writable } from '../../chains/index.ts'
import type { Dealing } from './dealing.ts'
import { discriminator, INSTRUCTIONS_SYSVAR, KAMINO_PROGRAM } from './program.ts'

const DISCRIMINATOR = discriminator('global', 'deposit_reserve_liquidity')

/** Deposits up to `amount` base units for shares; `taken` of price.ts says how much of it. Throws RangeError beyond 64 bits. */
export function depositReserveLiquidity(dealing: Dealing, amount: bigint): SvmInstruction {
  const { reserve, authority, owner, tokenAccount, shareAccount } = dealing
  return {
    program: KAMINO_PROGRAM,
    accounts: [
      { address: owner, signer: true, writable: false },
      writable(reserve.address),
      readable(reserve.lendingMarket),
      readable(authority),
      readable(reserve.liquidityMint),
      writable(reserve.supplyVault),
      writable(reserve.collateralMint),
      writable(tokenAccount),
      writable(shareAccount),
      readable(TOKEN_PROGRAM),
      readable(reserve.liquidityProgram),
      readable(INSTRUCTIONS_SYSVAR),
    ],
    data: Buffer.from([...DISCRIMINATOR, ...u64(amount)]).toString('base64'),
  }
}
