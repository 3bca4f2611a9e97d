import { readable, type SvmInstruction, TOKEN_PROGRAM, u64, writable } from '../../chains/index.ts'
import type { Dealing } from './dealing.ts'
import { discriminator, INSTRUCTIONS_SYSVAR, KAMINO_PROGRAM } from './program.ts'

const DISCRIMINATOR = discriminator('global', 'redeem_reserve_collateral')

/** Burns shares and pays what they are worth to the owner. Throws RangeError beyond 64 bits. */
export function redeemReserveCollateral(dealing: Dealing, shares: bigint): SvmInstruction {
  const { reserve, authority, owner, tokenAccount, shareAccount } = dealing
  return {
    program: KAMINO_PROGRAM,
    // Not the order of a deposit: the market comes before the reserve, and the shares' mint before the vault.
    accounts: [
      { address: owner, signer: true, writable: false },
      readable(reserve.lendingMarket),
      writable(reserve.address),
      readable(authority),
      readable(reserve.liquidityMint),
      writable(reserve.collateralMint),
      writable(reserve.supplyVault),
      writable(shareAccount),
      writable(tokenAccount),
      readable(TOKEN_PROGRAM),
      readable(reserve.liquidityProgram),
      readable(INSTRUCTIONS_SYSVAR),
    ],
    data: Buffer.from([...DISCRIMINATOR, ...u64(shares)]).toString('base64'),
  }
}
