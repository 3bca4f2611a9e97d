import type { Reserve } from './reserve.ts'

/** Who deals in which reserve, with every account that the program asks for. */
export interface ReserveAccounts {
  readonly reserve: Reserve
  /** `lendingMarketAuthority` of the reserve's market. */
  readonly authority: string
  /** Signs; owns both of the following. */
  readonly owner: string
  /** Of the reserve's liquidity mint. */
  readonly tokenAccount: string
  /** Of the reserve's collateral mint. It must exist: the program does not open it. */
  readonly shareAccount: string
}
