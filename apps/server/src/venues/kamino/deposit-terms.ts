import { maxAmount } from '../../kernel/index.ts'
import type { DepositTerms } from '../port.ts'
import { termsOfRoom } from '../require-deposit-accepted.ts'
import type { LendingMarket } from './market.ts'
import { depositedSf, ONE_SF } from './price.ts'
import type { Reserve } from './reserve.ts'
import { isHalted } from './withdrawal-terms.ts'

/** The configuration starts at byte 4,856 of the account's data (reserve.ts); offsets from the program's interface: */
export const DEPOSIT_TERMS_OFFSETS = {
  /** u8: 0 active, 1 obsolete, 2 hidden. */
  status: 4_856,
  /** u8: no shares are minted. */
  blocksShares: 4_862,
  /** u64, in base units: the most that depositors may hold together. After the interest curve and the borrow factor. */
  limit: 5_016,
  /** u64, a bit for each kind of operation: those of this reserve that the market's authority must sign. The last field. */
  permissionedOps: 5_800,
} as const

const OBSOLETE = 1
/** The bit of deposits; withdrawals have none. */
const DEPOSIT = 1n

/**
 * The program refuses every deposit into an obsolete reserve, into one that mints no shares, and one after which the
 * depositors' total would exceed the limit. It also refuses those that the market's authority must sign (its error 6183),
 * because Weir never has that signature. In emergency mode of the market or the reserve nothing moves. Takes data that
 * `readReserve` has verified to be a reserve, and the reserve with interest and rewards up to now.
 */
export function depositTermsOf(data: Buffer, reserve: Reserve, market: LendingMarket): DepositTerms {
  if (isHalted(data, market)) return { state: 'paused', room: 0n }
  const isClosed =
    data.readUInt8(DEPOSIT_TERMS_OFFSETS.status) === OBSOLETE ||
    data.readUInt8(DEPOSIT_TERMS_OFFSETS.blocksShares) !== 0 ||
    isPermissioned(data, market)
  if (isClosed) return { state: 'frozen', room: 0n }
  const limit = data.readBigUInt64LE(DEPOSIT_TERMS_OFFSETS.limit)
  return termsOfRoom(maxAmount(limit * ONE_SF - depositedSf(reserve), 0n) / ONE_SF)
}

function isPermissioned(data: Buffer, market: LendingMarket): boolean {
  const operations = market.permissionedOps | data.readBigUInt64LE(DEPOSIT_TERMS_OFFSETS.permissionedOps)
  return market.hasPermissioner && (operations & DEPOSIT) !== 0n
}
