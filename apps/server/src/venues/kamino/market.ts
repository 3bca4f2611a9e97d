import { ContractUnavailableError } from '../contract-unavailable.ts'
import { discriminator } from './program.ts'

const SIZE = 4_664
const DISCRIMINATOR = discriminator('account', 'LendingMarket')
/** u8, after version, bump, two owners, the quote currency, and the referral fee. */
export const EMERGENCY_MODE_OFFSET = 122

/**
 * Whether a lending market is halted: its reserves cannot be refreshed then, so that nothing moves. Throws
 * CHAIN_UNAVAILABLE if the account is not a market.
 */
export function isMarketHalted(address: string, data: Buffer | undefined): boolean {
  if (data?.length !== SIZE || !data.subarray(0, 8).equals(DISCRIMINATOR)) {
    throw new ContractUnavailableError(address, 'as a lending market of Kamino Lend')
  }
  return data.readUInt8(EMERGENCY_MODE_OFFSET) !== 0
}
