import {
  ALLOCATIONS,
  AWAITING,
  BREAKERS,
  CHANGE_REQUESTS,
  EXECUTING,
  HISTORY,
  MONITORED,
  WALLET_STATS,
} from './paths.ts'

/** How many of the newest wallets, and of the latest operations, the overview shows. */
export const HELD_ROWS = 6
export const LATEST_ROWS = 8
const SHORT_ROWS = 5

/** What the overview reads; the first script requests it before the page is there. */
export const OVERVIEW = {
  stats: WALLET_STATS,
  wallets: `${MONITORED}?limit=${HELD_ROWS}&offset=0`,
  short: `${MONITORED}?belowBuffer=true&limit=${SHORT_ROWS}&offset=0`,
  portfolio: `${ALLOCATIONS}?includeUnwinding=true&limit=1&offset=0`,
  awaiting: AWAITING,
  executing: EXECUTING,
  changes: `${CHANGE_REQUESTS}?status=requested&limit=5&offset=0`,
  history: `${HISTORY}?limit=${LATEST_ROWS}&offset=0`,
  breakers: BREAKERS,
} as const
