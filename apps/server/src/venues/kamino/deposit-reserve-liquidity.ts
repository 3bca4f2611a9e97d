import { readonlyAccount, type SvmInstruction, TOKEN_PROGRAM, u64, writableAccount } from '../../chains/index.ts'
import { discriminator, INSTRUCTIONS_SYSVAR, KAMINO_PROGRAM } from './program.ts'
import type { ReserveAccounts } from './reserve-accounts.ts'

const DISCRIMINATOR = discriminator('global', 'deposit_reserve_liquidity')

/**
 * Deposits up to `amount` base units for shares; `acceptedAmount` (price.ts) is what it takes. Throws RangeError beyond
 * 64 bits.
 */
export function depositReserveLiquidity(accounts: ReserveAccounts, amount: bigint): SvmInstruction {
  const { reserve, authority, owner, tokenAccount, shareAccount } = accounts
  return {
    program: KAMINO_PROGRAM,
    accounts: [
      { address: owner, signer: true, writable: false },
      writableAccount(reserve.address),
      readonlyAccount(reserve.lendingMarket),
      readonlyAccount(authority),
      readonlyAccount(reserve.liquidityMint),
      writableAccount(reserve.supplyVault),
      writableAccount(reserve.collateralMint),
      writableAccount(tokenAccount),
      writableAccount(shareAccount),
      readonlyAccount(TOKEN_PROGRAM),
      readonlyAccount(reserve.liquidityProgram),
      readonlyAccount(INSTRUCTIONS_SYSVAR),
    ],
    data: Buffer.from([...DISCRIMINATOR, ...u64(amount)]).toString('base64'),
  }
}
