/**
 * Kamino Lend, a lending market on Solana, by the program's public interface: compared with the vendor's SDK, never tried
 * on mainnet (docs/decisions/0032).
 */
export type { Dealing } from './dealing.ts'
export { depositReserveLiquidity } from './deposit-reserve-liquidity.ts'
export { grownTo, supplyRate } from './interest.ts'
export { depositedSf, minted, redeemed, sharesFor, taken } from './price.ts'
export { KAMINO_PROGRAM, lendingMarketAuthority } from './program.ts'
export { reservesAt } from './read.ts'
export { redeemReserveCollateral } from './redeem-reserve-collateral.ts'
export { refreshReserve } from './refresh-reserve.ts'
export { OFFSETS, type Oracles, type Reserve, readReserve } from './reserve.ts'
export { readTerms, TERMS_OFFSETS } from './terms.ts'
export { kamino } from './venue.ts'
