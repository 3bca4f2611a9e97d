import type { Reserve } from './reserve.ts'

/** Every account that the program requires for one owner and one reserve. */
export interface ReserveAccounts {
  readonly reserve: Reserve
  /** `lendingMarketAuthority` of the reserve's market. */
  readonly authority: string
  /** Signs, and owns both of the following accounts. */
  readonly owner: string
  /** Of the reserve's liquidity mint. */
  readonly tokenAccount: string
  /** Of the reserve's collateral mint. It must exist: the program does not open it. */
  readonly shareAccount: string
}
