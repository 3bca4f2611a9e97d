/** Limits on traffic to and from nodes, each with its reason. */

/** After this long, another endpoint serves a read better. */
export const READ_TIMEOUT_MS = 8_000
/** A node may hold an accepted transaction until its peers have it; giving up early leaves the outcome in doubt. */
export const SEND_TIMEOUT_MS = 15_000
/** Public providers refuse larger JSON-RPC batches, some at 100. */
export const BATCH_REQUESTS_MAX = 100
/** A full block with its receipts is a few megabytes on the busiest served chain; more is an error or an attack. */
export const RESPONSE_BYTES_MAX = 67_108_864
/** How long a failed endpoint is skipped; doubles with each consecutive failure, up to the maximum. */
export const ENDPOINT_COOLDOWN_MS = { first: 5_000, max: 60_000 } as const
