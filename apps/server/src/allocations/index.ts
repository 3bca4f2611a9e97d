export { accruePositions, type PriceReading } from './accrue-positions.ts'
export type { Allocation } from './allocation.ts'
export { allocationAt } from './allocation-at.ts'
export type { AllocationView } from './allocation-view.ts'
export { averagePrincipals } from './average-principals.ts'
export type { DayOfEarnings, VenueEarnings } from './earnings.ts'
export { type AllocationPerformance, getAllocation } from './get-allocation.ts'
export { type Earnings, type EarningsFilter, getEarnings } from './get-earnings.ts'
export {
  type AllocationFilter,
  type AllocationPage,
  listAllocations,
  type PortfolioSummary,
} from './list-allocations.ts'
export { listOperationalWallets, type OperationalWalletView } from './list-operational-wallets.ts'
export { listPositions, type PositionFilter, type Positions, type PositionView } from './list-positions.ts'
export { deposit, moveOutside, type Position, withdraw } from './position.ts'
export { presentValue } from './present-value.ts'
export { markUnwinding, openAllocation, positionOf, type ReadingTime, savePosition } from './save-position.ts'
export { SUBJECT_COLUMNS, type Subject, subjectOf } from './subject.ts'
export { tellAllocations } from './tell-allocations.ts'
export { type TokenPosition, tokenPositionOf } from './token-positions.ts'
export { type WalletStatistics, walletStatistics } from './wallet-statistics.ts'
export { type YieldStatistics, yieldStatistics } from './yield-statistics.ts'
