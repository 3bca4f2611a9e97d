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
/**
 * How long a process leaves a job to others that made no progress here, from its handover: doubled each time until one of
 * its rounds progresses. A fault that all processes have moves a job at growing intervals, and leaves a long round time.
 */
export const JOB_BACKOFF_MS = { first: 300_000, max: 1_200_000 } as const
/**
 * How long after the loss of its lease a round that does not end keeps this process from running the job again. One that
 * stalled has a lease's time only.
 */
export const JOB_ROUND_LEFT_MS = 60_000
/** A start waits this long for the chains' first rounds; one with much to catch up continues while requests are served. */
export const FIRST_ROUND_TIMEOUT_MS = 10_000

/** How long a read for metrics is shared. Bounds its cost, however many scrapers there are. */
export const METRICS_FRESH_MS = 5_000
/**
 * How long a scrape waits for a read. Less than the ten seconds that Prometheus waits by default: a scrape that fails says
 * nothing, also not that the database is away.
 */
export const METRICS_READ_TIMEOUT_MS = 3_000
/** Pending rows of one kind that a metric counts: a million took up to 2.3 seconds. Alerts fire far below. */
export const PENDING_COUNTED_MAX = 100_000
/** Agents whose last poll is exported; organizations take turns. Bounds the series of a scrape. */
export const AGENT_HEARTBEATS_MAX = 200
/** How long the key of a silent agent is exported: then the agent counts as retired. */
export const AGENT_HEARTBEAT_RETENTION_MS = 7 * 86_400_000
/** Transactions for agents that are searched for the oldest one. Bounds the read when no agent works. */
export const AGENT_WORK_SEARCHED_ROWS = 10_000

/** Parts, such as wallets, whose outage a log remembers. Bounds memory; of more at once, only so many are logged. */
export const OUTAGES_REMEMBERED_MAX = 10_000
/** How long after its last failure an outage gives its place to another one: nothing tries that part any longer. */
export const OUTAGE_FORGOTTEN_MS = 86_400_000
/** Causes of one outage that are logged. Bounds the lines about an error whose text always differs. */
export const OUTAGE_CAUSES_MAX = 10
