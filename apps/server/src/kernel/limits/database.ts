/** Limits on the use of PostgreSQL. */

/** How long a plan waits for a lock before the request fails: a longer wait means that something is stuck. */
export const STATEMENT_TIMEOUT_MS = 30_000
export const LOCK_TIMEOUT_MS = 10_000
/**
 * How long a transaction may wait for its process: a frozen one must not hold its locks longer. Transactions never wait
 * for a network, so a running process needs milliseconds.
 */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 8_000
/** How long connecting to one server may take before the next one of DATABASE_URL is tried. */
export const SERVER_CONNECT_TIMEOUT_MS = 3_000
/** How often waiting connections are examined for a sign of life. */
export const CONNECTION_WATCH_MS = 1_000
/**
 * In rounds of {@link CONNECTION_WATCH_MS}: how long a statement may be silent before the server is asked about it, how
 * long the server may take to respond and how often it may fail to, how much longer than its own time-out a statement may
 * take, and how long the server may say that a commit waits for a standby.
 */
export const SILENCE_ROUNDS = { probe: 3, response: 3, failures: 2, grace: 5, standby: 6 } as const
/**
 * How soon PostgreSQL notices that a client's host vanished, and releases its locks: probes of an idle connection, data
 * that nobody acknowledges, and the client's end of a connection while a statement runs.
 */
export const SERVER_KEEPALIVE = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
} as const
export const CLIENT_CHECK_INTERVAL_MS = 2_000
/**
 * How often a process checks that the database takes writes, how long it waits for one, and for how long probes and
 * scrapes share the result.
 */
export const DATABASE_CHECK_INTERVAL_MS = 5_000
export const DATABASE_CHECK_TIMEOUT_MS = 1_500
export const DATABASE_CHECK_FRESH_MS = 2_000
/**
 * How far the clocks of a process and of the database may differ until the process ends nothing because of the time.
 * Synchronized clocks differ by milliseconds, and operations, approvals and sessions last for minutes.
 */
export const CLOCK_DIFFERENCE_MAX_MS = 30_000
/** Connections of a pool: enough for two cores. */
export const POOL_CONNECTIONS_DEFAULT = 10
/** Connections that the embedded database accepts, for all pools of all processes together. */
export const EMBEDDED_CONNECTIONS_MAX = 60

/** How often a transaction is run again after a serialization failure or a deadlock; then its caller gets the error. */
export const TRANSACTION_RETRIES_MAX = 3
/** Gives those who waited for our locks time to take them; otherwise we might grab them again and deadlock. */
export const TRANSACTION_RETRY_DELAY_MS = 10

/** A killed predecessor's database gets this long to shut down; a checkpoint on a slow disk takes seconds. */
export const PREDECESSOR_SHUTDOWN_SECONDS = 60
/** Another program may take a free port between choosing it and listening on it. */
export const DATABASE_PORT_ATTEMPTS_MAX = 5
/**
 * Rows that one statement of a walk over sealed values reads, with a value or without one: some hundredths of a second,
 * and less than the time-out where each row is on a page of its own on a slow disk.
 */
export const SEALED_WALK_ROWS = 2_000
/**
 * How long a start looks for values that need a missing key: about a million rows, of events only those with sealed
 * fields. Secrets of the service come first, so that a key which is really needed is nearly always found at once.
 */
export const KEY_SEARCH_MAX_MS = 20_000
/** Values that a rotation seals again in one transaction: locks stay short next to the running service. */
export const RESEAL_BATCH = 200
/** Passes over all sealed columns, until one finds nothing: the running service may seal with an older key in between. */
export const RESEAL_PASSES_MAX = 5

/** Pages of one run of a sweep, so that a run ends while items keep arriving. */
export const SWEEP_PAGES_MAX = 50
/** Items of one run that may time out: each takes as long as its time-out, and so many mean that the database is slow. */
export const SWEEP_TIMEOUTS_MAX = 3
/** How often a batch of items is halved to find those that fail: enough for several of them among a thousand. */
export const BATCH_SPLITS_MAX = 40
/** Old rows that one transaction deletes: their locks are held for some hundredths of a second. */
export const DELETE_OLD_ROWS_BATCH = 5_000
/** How often old rows are deleted, so that little accumulates. */
export const DELETE_OLD_ROWS_SECONDS = 600

/**
 * How long a step of a migration waits for its lock while others wait behind it, and how often it tries. The pauses
 * double from the first to the longest one: about ten minutes in all.
 */
export const MIGRATION_LOCK_TIMEOUT_MS = 2_000
export const MIGRATION_TRIES_MAX = 60
export const MIGRATION_RETRY_MS = { first: 250, longest: 10_000 } as const
/** How often a waiting process checks whether the migration of another one is over. */
export const MIGRATION_POLL_MS = 100
/** A migrating process that is silent this long between two steps counts as frozen, and loses its session. */
export const MIGRATION_IDLE_SECONDS = 60

/** Months ahead for which partitions exist, so that a month without a worker changes nothing. */
export const PARTITION_MONTHS_AHEAD = 2
/** How often a worker checks for a missing partition; most checks find none. */
export const MAKE_PARTITIONS_SECONDS = 3_600
/**
 * Shorter than PostgreSQL's wait before it looks for a deadlock: the process that makes a partition gives way to
 * others.
 */
export const PARTITION_LOCK_TIMEOUT_MS = 500

/** From a transaction's own time to its first lock a process needs milliseconds; its clock may differ by about as much. */
export const POSTING_START_MS = 1_000
/** A transaction that posts has ended after this time: it may wait for its lock, run one slow statement, and wait once more. */
export const POSTING_MAX_MS = LOCK_TIMEOUT_MS + STATEMENT_TIMEOUT_MS + 2 * IDLE_IN_TRANSACTION_TIMEOUT_MS
/** How long the view of a recent moment waits for such transactions, which take milliseconds, and how often it looks. */
export const POSTING_WAIT_MAX_MS = 2_000
export const POSTING_POLL_INTERVAL_MS = 25
