/** Limits on following chains. */

/** Embedded chains have no other users: polling them often costs nothing, and their users wait for the result. */
export const EMBEDDED_CHAIN_POLL_SECONDS = 0.2
/** Public chains make a block every 2 to 12 seconds, and their endpoints count requests. */
export const CHAIN_POLL_SECONDS = 2
/** How often a process tries again to claim a chain whose claim was lost with the database's connection. */
export const CHAIN_CLAIM_RETRY_MS = 200
