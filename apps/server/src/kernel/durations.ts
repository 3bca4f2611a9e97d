export const DAY_MS = 86_400_000
export const YEAR_MS = 365 * DAY_MS
export const WEEK_DAYS = 7
