/** Limits on sharing periodic work among processes. */

/** How long a process keeps its work without renewing: a process that hangs delays others by this and one renewal. */
export const JOB_LEASE_MS = 8_000
/** How often a process renews within that time: a lease survives two renewals that fail. */
export const JOB_LEASE_RENEWALS = 4
/** How long a statement about leases may take before its connection is given up. */
export const JOB_LEASE_STATEMENT_TIMEOUT_MS = 3_000
/** How soon a process tries again when a renewal failed. */
export const JOB_LEASE_RETRY_MS = 500
/** How long a process that vanished stays listed. */
export const WORKERS_KEPT_SECONDS = 600
/** How long leased work may lack progress, beyond its period, until its worker is not ready. */
export const WORK_STALLED_MS = 60_000
