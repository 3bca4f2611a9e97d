/** Limits on approval policies. */

/** An approval policy is read by people and evaluated for every plan: nobody can oversee more rules than this. */
export const POLICY_RULES_MAX = 100
/** Wallets, providers or counterparties that one condition names. */
export const POLICY_LIST_MAX = 500
/** A rule's name is shown on the operations that it decided. */
export const POLICY_NAME_LENGTH_MAX = 100
/** The newest operations that a dry run looks at: each is decided twice, by up to 100 rules. */
export const POLICY_DRY_RUN_OPERATIONS_MAX = 1_000
/** A dry run lets other requests run after this many operations: a rule with hours takes microseconds. */
export const POLICY_DRY_RUN_SLICE = 25
/** Changed outcomes that one answer lists: people read them. */
export const POLICY_DRY_RUN_CHANGES_MAX = 100
/** The longest period of a dry run: after a season nobody compares with today's rules. */
export const POLICY_DRY_RUN_DAYS_MAX = 92
export const POLICY_DRY_RUN_DAYS_DEFAULT = 30
/** Time zones whose clocks are cached: more than there are zones, because clients may spell them in many ways. */
export const POLICY_CLOCKS_CACHED_MAX = 1_000
