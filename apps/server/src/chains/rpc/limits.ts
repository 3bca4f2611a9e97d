/** A limit on everything that leaves for, or comes from, a node; each with its reason (house habit 7). */

/** A read that takes longer is served better by another endpoint. */
export const READ_TIMEOUT_MS = 8_000
/** A node may hold an accepted transaction back until its peers took it; giving up early leaves us in doubt. */
export const SEND_TIMEOUT_MS = 15_000
/** Public providers refuse larger JSON-RPC batches, some at 100. */
export const BATCH_REQUESTS_MAX = 100
/** A full block with its receipts is a few megabytes on the busiest chain served; more is an error or an attack. */
export const RESPONSE_BYTES_MAX = 67_108_864
/** How long an endpoint that failed is passed over; doubled with each failure in a row, up to the most. */
export const ENDPOINT_COOLDOWN_MS = { first: 5_000, max: 60_000 } as const
