/** Limits on the embedded chains: faucet, clock, faults and RPC proxy. */

/** A year: the maximum of one call (contract 13). */
export const ADVANCE_SECONDS_MAX = 31_536_000
/**
 * Blocks mined on a chain before its follower must catch up. The follower reads past balances, and an embedded chain
 * keeps those of its last 128 blocks only.
 */
export const ADVANCE_BLOCKS_BATCH = 40
/** How long a faucet or a moved clock waits for the ledger to show it, and how often it checks. */
export const SANDBOX_SETTLE_TIMEOUT_MS = 10_000
export const SANDBOX_SETTLE_POLL_INTERVAL_MS = 40

/** Requests that a fault may affect (contract 13). */
export const CHAIN_FAULT_COUNT_MAX = 1_000
/** How often a transaction that is to revert is looked for in a block: for 2 seconds, since the chain mines at once. */
export const REVERT_MINED_CHECKS = { max: 400, intervalMs: 5 } as const
/** How often an embedded chain is asked whether it has mined what was sent: for a second, and it does so in a few ms. */
export const MINED_CHECKS = { max: 500, intervalMs: 2 } as const
/** Block interval while transactions are delayed, so that 20 blocks pass in about 5 seconds. */
export const DELAY_BLOCK_INTERVAL_MS = 250
/** Mining a year of blocks takes a local node seconds. */
export const DEV_NODE_TIMEOUT_MS = 30_000
/** An ordinary client sends a few dozen requests at once. */
export const RPC_PROXY_BATCH_MAX = 100

/** The largest request to shared chains; the service's own batches stay far below. */
export const SHARED_CHAINS_BODY_MAX = 10_000_000

/** The largest loss and fee of a venue: half, so that its borrowers still owe something. */
export const VENUE_LOSS_BPS_MAX = 5_000
/** The longest cooldown of a vault: 90 days, as the contracts of public chains allow. */
export const COOLDOWN_SECONDS_MAX = 7_776_000

/**
 * The most that the faucet gives at once on EVM chains: a million native coins, and far more tokens than any test
 * needs.
 */
export const EVM_FAUCET_MAX = { native: 10n ** 24n, token: 10n ** 18n } as const
/** Ten thousand SOL out of a million, and token limits that fit many times into a 64-bit supply. */
export const SOLANA_FAUCET_MAX = { native: 10n ** 13n, token: 10n ** 15n } as const
/** Embedded chains include at once; after this long, the chain is gone. */
export const TREASURY_SEND_TIMEOUT_MS = 20_000
/** An earlier payment may be missing, so every stored payment is sent again at this interval. */
export const TREASURY_RESEND_INTERVAL_MS = 300
/** The embedded savings vault pays no more than this a year, before compounding. */
export const RATE_BPS_MAX = 10_000

/** Each agent is a process of some 100 MB. An organization needs one; a second shows how agents share wallets. */
export const SANDBOX_AGENTS_MAX = { organization: 2, service: 8 } as const
/** A sandbox agent that ends is started again after `min`, doubling up to `max` while it ends soon. */
export const SANDBOX_AGENT_RESTART_MS = { min: 500, max: 30_000 } as const
/** An agent that ran this long was in order: its next restart begins at `min` again. */
export const SANDBOX_AGENT_STABLE_MS = 60_000
/** An agent whose key was revoked elsewhere stops within this. */
export const SANDBOX_AGENT_KEY_CHECK_MS = 10_000
/** The folder of an agent is removed within this after the erasure of its organization. */
export const SANDBOX_AGENT_ERASURE_CHECK_MS = 10_000
/**
 * An agent that leases work for another agent's wallet lets the lease lapse: so long the other one waits at most. For
 * work of its own it renews the lease.
 */
export const SANDBOX_AGENT_LEASE_MS = 10_000
