import { readonlyAccount, type SvmInstruction, writableAccount } from '../../chains/index.ts'
import { discriminator, KAMINO_PROGRAM } from './program.ts'
import type { Reserve } from './reserve.ts'

const DISCRIMINATOR = discriminator('global', 'refresh_reserve')

/**
 * Brings a reserve's interest and price up to the current slot. The program accepts a deposit or redemption only in the
 * slot of a refresh, so this precedes both in the same transaction.
 */
export function refreshReserve({ address, lendingMarket, oracles }: Reserve): SvmInstruction {
  // The program's own address marks an omitted optional account.
  const optional = (oracle: string | undefined) => readonlyAccount(oracle ?? KAMINO_PROGRAM)
  return {
    program: KAMINO_PROGRAM,
    accounts: [
      writableAccount(address),
      readonlyAccount(lendingMarket),
      optional(oracles.pyth),
      optional(oracles.switchboardPrice),
      optional(oracles.switchboardTwap),
      optional(oracles.scope),
    ],
    data: DISCRIMINATOR.toString('base64'),
  }
}
