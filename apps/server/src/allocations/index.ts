export type { DailyEarnings, VenueEarnings } from './earnings/compute-earnings.ts'
export { type Earnings, type EarningsFilter, getEarnings } from './earnings/get-earnings.ts'
export { exitEventPayloads } from './exits/exit-event-payloads.ts'
export { followExits } from './exits/follow-exits.ts'
export { type ExitsQuery, readLatestExits } from './exits/read-latest-exits.ts'
export { readWalletExits, type WalletExit } from './exits/read-wallet-exits.ts'
export { recordExit } from './exits/record-exit.ts'
export { clearExitReadings, closeExitsOfLostChain, findOpenExit } from './exits/write-exits.ts'
export type { PriceReading } from './positions/accrue-allocations.ts'
export { type AccrualPlace, accruePositions } from './positions/accrue-positions.ts'
export { type OpenAllocation, wasPostedAfter } from './positions/allocation.ts'
export { allocationEventPayloads } from './positions/allocation-event-payloads.ts'
export {
  deleteEndedDays,
  hasEndedDays,
  POST_ENDED_DAYS,
  postEndedDays,
  saveEndedDay,
} from './positions/ended-days.ts'
export { emitLossesAndFeesOf, type LossAndFee, lossAndFeeEntries } from './positions/losses-and-fees.ts'
export {
  applyExternalMovement,
  attributeDeposit,
  attributeWithdrawal,
  deposit,
  lossIn,
  type MovedPosition,
  type Position,
  withdraw,
} from './positions/position.ts'
export { presentValue } from './positions/present-value.ts'
export { refreshWithdrawable } from './positions/refresh-withdrawable.ts'
export {
  currentPosition,
  FIND_ALLOCATION,
  type PositionKey,
  type PositionUpdate,
  type ReadingTime,
  SAVE_POSITION,
} from './positions/save-position.ts'
export {
  ADVANCE_ALLOCATION,
  advanceAllocations,
  advanceAllocationsSql,
  closeAllocationsOfLostChain,
} from './positions/write-allocation.ts'
export { type PositionTotals, positionTotals } from './statistics/position-totals.ts'
export { type Exposure, readExposures } from './statistics/read-exposures.ts'
export { readLiquidity, type TokenLiquidity, UNKNOWN_REASONS } from './statistics/read-liquidity.ts'
export { type WalletStatistics, walletStatistics } from './statistics/wallet-statistics.ts'
export { type TokenTotals, type YieldStatistics, yieldStatistics } from './statistics/yield-statistics.ts'
export { allocationAt } from './views/allocation-at.ts'
export { type AllocationView, earnedUntil } from './views/allocation-view.ts'
export { averagePrincipals } from './views/average-principals.ts'
export { exitAt } from './views/exit-at.ts'
export { type AllocationPerformance, getAllocation } from './views/get-allocation.ts'
export {
  type AllocationFilter,
  type AllocationPage,
  listAllocations,
  type PortfolioSummary,
} from './views/list-allocations.ts'
export { type ExitFilter, type ExitView, getExit, listExits } from './views/list-exits.ts'
export {
  getOperationalWallet,
  listOperationalWallets,
  type OperationalWalletView,
} from './views/list-operational-wallets.ts'
export { listPositions, type PositionFilter, type PositionList, type PositionView } from './views/list-positions.ts'
export { SUBJECT_COLUMNS, type Subject, subjectOf } from './views/subject.ts'
export { getTokenPosition, type TokenPosition } from './views/token-position.ts'
