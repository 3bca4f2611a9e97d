/** Limits on custody agents: leases, polls, checks and reports. */

/** Contract 9: how long an agent may lease a transaction or an action. */
export const LEASE_MS = { min: 1_000, default: 30_000, max: 600_000 } as const
/** For how long a lease is renewed after it began. */
export const LEASE_RENEWALS_MS = 24 * 3_600_000
/** Contract 9: how long a poll may wait for work. */
export const POLL_WAIT_MS_MAX = 30_000
/** All waiting polls of a process share one lookup: work reaches an agent within this time, at ten small reads/s. */
export const AGENT_POLL_INTERVAL_MS = 100
/** Transactions that one poll tries before it reports that there is no work; the rest wait for the next poll. */
export const AGENT_CLAIM_ATTEMPTS_MAX = 16
/** A claim whose bytes are not built in time passes to someone else; no chain takes this long to respond or fail. */
export const AGENT_CLAIM_MS = 30_000
/** Of so many leases that lapsed first, a poll takes the one of the oldest operation. */
export const AGENT_LAPSED_COMPARED_MAX = 100
/** After a chain was unavailable, this process leaves its work alone for this long. */
export const AGENT_CHAIN_COOLDOWN_MS = 2_000
/** Bytes whose outcome is about to be settled are checked again after this: about one block. */
export const AGENT_UNSETTLED_RETRY_MS = 2_000
/** A wallet that cannot pay the fee is checked again after this: someone has to send it coins first. */
export const AGENT_INSUFFICIENT_GAS_RETRY_MS = 30_000
/** Rule 12: three reverted simulations over five minutes end the operation; a node may lag at first. */
export const AGENT_SIMULATION_FAILURES_MAX = 3
export const AGENT_SIMULATION_FAILURE_WINDOW_MS = 5 * 60_000
export const AGENT_SIMULATION_RETRY_MS = 10_000
/** Unused EVM bytes never expire: a withheld transaction ends after this, and the next plan reuses its nonce. */
export const AGENT_WITHHELD_MS = 30 * 60_000
/** An issued transaction that nobody has polled for this long is abandoned: no agent is working. */
export const AGENT_ABANDONED_MS = 24 * 3_600_000
/** Maximum length of an agent's error message; longer text is cut. */
export const AGENT_ERROR_LENGTH_MAX = 2_000
/** Reports stored per transaction, so that a repeated report gets its first response again. */
export const AGENT_REPORTS_STORED_MAX = 20
/** Hashes that agents reported of a transaction, beside the one that counts. Older ones are forgotten. */
export const AGENT_HASHES_STORED_MAX = 20
