/**
 * Objects that an organization may have at once. The settings QUOTA_... change the defaults, and the column `quotas` of
 * an organization overrides them. They stop runaway clients, and tenants whose cost would have no bound; no company
 * comes near them.
 */
export const QUOTAS = {
  /** API keys that are neither deleted nor expired. */
  apiKeys: 1_000,
  members: 1_000,
  walletProfiles: 1_000,
  /** Each wallet is followed on its chain. Clients register one for each of their users. */
  wallets: 1_000_000,
  /** Each event is compared with each webhook (contract 12). */
  webhooks: 100,
  /** Accounts for payments from and to banks: partners charge for each. */
  rampAccounts: 100_000,
  recipients: 100_000,
  /** Filters under a name, of all members together. */
  savedViews: 10_000,
  pendingOperations: 100_000,
  /** Verifications that were started and not decided: partners charge for each. */
  pendingVerifications: 10_000,
} as const
export type QuotaName = keyof typeof QUOTAS
export type QuotaLimits = Readonly<Record<QuotaName, number>>
/** The part of the quota of saved views that one member may fill, so that places for the others remain. */
export const SAVED_VIEWS_SHARE_OF_MEMBER = 1 / 10
/**
 * An organization that is further from its limit than this is counted without a lock. More requests than these never
 * run at once: every process has a few connections to the database.
 */
export const QUOTA_UNLOCKED_PLACES = 1_000
/** Longer than all calls to a partner for one request take together; after it, the place of a dead process is free. */
export const QUOTA_PLACE_HELD_MS = 2 * 60_000
/** Verifications of archived recipients count for this long after they began: each cost the operator a call. */
export const ARCHIVED_VERIFICATION_COUNTS_MS = 86_400_000

/**
 * Requests per minute of all keys and users of an organization together, so that more keys do not mean more requests:
 * 200 keys at the full rate of reads and writes, and far more than one process serves on average.
 */
export const ORGANIZATION_RATE_LIMIT = 30_000
/** Requests are counted for the organization in steps of this share of its limit: one statement for many requests. */
export const ORGANIZATION_RATE_STEPS = 100
/** Above this many active organizations, a process starts all counts again, so that its table stays small. */
export const ORGANIZATION_ALLOWANCES_MAX = 10_000
