/**
 * Kamino Lend, a lending market on Solana, through the program's public interface. Compared with the vendor's SDK, but
 * never run on mainnet (ADR 32).
 */

export { depositReserveLiquidity } from './deposit-reserve-liquidity.ts'
export { accrueTo, supplyRate } from './interest.ts'
export { INTEREST_TERMS_OFFSETS, readInterestTerms } from './interest-terms.ts'
export { acceptedAmount, depositedSf, mintedShares, redeemableAssets, sharesFor } from './price.ts'
export { KAMINO_PROGRAM, lendingMarketAuthority } from './program.ts'
export { redeemReserveCollateral } from './redeem-reserve-collateral.ts'
export { refreshReserve } from './refresh-reserve.ts'
export { OFFSETS, type Oracles, type Reserve, readReserve } from './reserve.ts'
export type { ReserveAccounts } from './reserve-accounts.ts'
export { kamino } from './venue.ts'
