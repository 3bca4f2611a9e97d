import { readonlyAccount, type SvmInstruction, TOKEN_PROGRAM, u64, writableAccount } from '../../chains/index.ts'
import { discriminator, INSTRUCTIONS_SYSVAR, KAMINO_PROGRAM } from './program.ts'
import type { ReserveAccounts } from './reserve-accounts.ts'

const DISCRIMINATOR = discriminator('global', 'redeem_reserve_collateral')

/** Burns shares and pays their value to the owner. Throws RangeError beyond 64 bits. */
export function redeemReserveCollateral(accounts: ReserveAccounts, shares: bigint): SvmInstruction {
  const { reserve, authority, owner, tokenAccount, shareAccount } = accounts
  return {
    program: KAMINO_PROGRAM,
    // The order differs from a deposit: the market comes before the reserve, and the share mint before the vault.
    accounts: [
      { address: owner, signer: true, writable: false },
      readonlyAccount(reserve.lendingMarket),
      writableAccount(reserve.address),
      readonlyAccount(authority),
      readonlyAccount(reserve.liquidityMint),
      writableAccount(reserve.collateralMint),
      writableAccount(reserve.supplyVault),
      writableAccount(shareAccount),
      writableAccount(tokenAccount),
      readonlyAccount(TOKEN_PROGRAM),
      readonlyAccount(reserve.liquidityProgram),
      readonlyAccount(INSTRUCTIONS_SYSVAR),
    ],
    data: Buffer.from([...DISCRIMINATOR, ...u64(shares)]).toString('base64'),
  }
}
