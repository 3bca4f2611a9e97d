import { maxAmount } from '../../kernel/index.ts'
import type { DepositTerms } from '../port.ts'
import { termsOfRoom } from '../require-deposit-accepted.ts'
import { depositedSf, ONE_SF } from './price.ts'
import type { Reserve } from './reserve.ts'

/** The configuration starts at byte 4,856 of the account's data (reserve.ts); offsets from the program's interface: */
export const DEPOSIT_TERMS_OFFSETS = {
  /** u8: 0 active, 1 obsolete, 2 hidden. */
  status: 4_856,
  /** u8: no shares are minted. */
  blocksShares: 4_862,
  /** u64, in base units: the most that depositors may hold together. After the interest curve and the borrow factor. */
  limit: 5_016,
} as const

const OBSOLETE = 1

/**
 * The program refuses every deposit into an obsolete reserve, into one that mints no shares, and one after which the
 * depositors' total would exceed the limit. `isHalted`: the market or the reserve is in emergency mode, where nothing
 * moves. Takes data that `readReserve` has verified to be a reserve, and the reserve with the interest up to now.
 */
export function depositTermsOf(data: Buffer, reserve: Reserve, isHalted: boolean): DepositTerms {
  if (isHalted) return { state: 'paused', room: 0n }
  const isClosed =
    data.readUInt8(DEPOSIT_TERMS_OFFSETS.status) === OBSOLETE ||
    data.readUInt8(DEPOSIT_TERMS_OFFSETS.blocksShares) !== 0
  if (isClosed) return { state: 'frozen', room: 0n }
  const limit = data.readBigUInt64LE(DEPOSIT_TERMS_OFFSETS.limit)
  return termsOfRoom(maxAmount(limit * ONE_SF - depositedSf(reserve), 0n) / ONE_SF)
}
