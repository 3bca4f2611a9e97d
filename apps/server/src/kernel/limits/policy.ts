/** Limits on approval policies. */

/** An approval policy is read by people and evaluated for every plan: nobody can oversee more rules than this. */
export const POLICY_RULES_MAX = 100
/** Wallets, providers or counterparties that one condition names. */
export const POLICY_LIST_MAX = 500
/** A rule's name is shown on the operations that it decided. */
export const POLICY_NAME_LENGTH_MAX = 100
/** Time zones whose clocks are cached: more than there are zones, because clients may spell them in many ways. */
export const POLICY_CLOCKS_CACHED_MAX = 1_000
