export { confirmTokens } from './catalogue/confirm-tokens.ts'
export { CURRENT_VALUE, VALUE_OF_READING } from './catalogue/current-value-sql.ts'
export { programErrorsOf, seedsFromDeployment } from './catalogue/deployment-seeds.ts'
export { strategiesOnChain, strategyById } from './catalogue/find-strategies.ts'
export { type CatalogueVenue, listVenues, type VenueFilters, venueById } from './catalogue/list-venues.ts'
export { liveSeeds } from './catalogue/live-seeds.ts'
export { liveWriteLockedAccounts } from './catalogue/live-solana-seeds.ts'
export { type StrategySeed, seedCatalogue, type VenueSeed } from './catalogue/seed-catalogue.ts'
export { deleteRates, type StrategyRates, saveRates } from './catalogue/strategy-rates.ts'
export { ContractUnavailableError, undefinedIfUnavailable } from './contract-unavailable.ts'
export { readAllowance, revocationStep, type SpenderAllowance } from './evm/read-allowance.ts'
export { delayOf, type FactSheet } from './facts/fact-sheet.ts'
export { factSheetOf } from './facts/fact-sheet-of.ts'
export { strategiesAtEndOf } from './facts/strategies-at.ts'
export {
  type MeasuredYield,
  mayReportLiquidity,
  measuredYields,
  type PoolDay,
  poolHistory,
  utilizationOf,
} from './facts/strategy-history.ts'
export { readTokenPegs, type TokenPeg } from './facts/token-pegs.ts'
export { feeText, feeWarning } from './facts/vault-fees.ts'
export {
  addReadings,
  isAllOf,
  OWNERS_READINGS,
  type OwnersReadings,
  payableTogether,
  readingsOf,
  type StoredReadings,
  storedReadings,
} from './payable-together.ts'
export type * from './port.ts'
export { probePositions, probeWithdrawable } from './probe-positions.ts'
export { readPositions } from './read-positions.ts'
export { readPrices } from './read-prices.ts'
export { contractsOf } from './readings.ts'
export { refreshRates } from './refresh-rates.ts'
export { refreshRiskFacts } from './refresh-risk-facts.ts'
export { acceptedDeposits, requireOffered } from './require-deposit-accepted.ts'
export { spenderOf } from './spender.ts'
export { venueAddress } from './venue-address.ts'
export { EXIT_PROTOCOLS, knowsProtocol, venueFor } from './venue-for.ts'
export { acceptVenuesFile } from './venues-file/accept-venues-file.ts'
export type { ListedVenue } from './venues-file/listed-venue.ts'
export { parseVenuesFile } from './venues-file/parse-venues-file.ts'
export { type ConfirmedVenue, readListedVenue } from './venues-file/read-listed-venue.ts'
export { retryWaitingVenues } from './venues-file/retry-waiting-venues.ts'
export { problemLine, VenuesFileError } from './venues-file/venues-file-error.ts'
