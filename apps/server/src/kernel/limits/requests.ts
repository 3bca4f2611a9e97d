/** Limits on requests to this service and their responses. */

/**
 * Contract 4: larger bodies are refused with 413. The largest legitimate one, a signed transaction, is below 200 KB.
 */
export const MAX_BODY_BYTES = 1_048_576
/**
 * An invalid body up to this size is refused with everything that is wrong with it, a larger one with the first error:
 * collecting all of them takes many times as long as reading the body.
 */
export const EXPLAINED_BODY_BYTES_MAX = 16_384
/** No legitimate request nests deeper than this, and recursion over deeper JSON could exhaust the stack. */
export const BODY_DEPTH_MAX = 64
/** How long a request may take to arrive; slower ones would tie up connections. */
export const REQUEST_ARRIVAL_TIMEOUT_MS = 30_000
/**
 * How long the check of a credential holds while its request waits to arrive or for its turn: longer than an ordinary
 * request takes, which is so checked once, and too short to act after a removal that somebody saw succeed.
 */
export const CREDENTIAL_FRESH_MS = 1_000
/** How often connections are checked for requests that take too long; Node's half a minute would double the wait. */
export const SLOW_REQUESTS_CHECK_MS = 5_000
/** A TLS handshake takes two round trips; a slower client holds nothing but a socket until then. */
export const TLS_HANDSHAKE_TIMEOUT_MS = 10_000
/** How often the files of the certificate are checked for changes; certificates change days before they expire. */
export const CERTIFICATE_CHECK_MS = 5_000
/** Longer than any id or hash that a path may contain. */
export const PATH_PARAMETER_LENGTH_MAX = 1_024
/** Longer lists of issues do not help the caller. */
export const VALIDATION_ISSUES_MAX = 50

/** Spec 8 and contract 5: lists. */
export const LIST_LIMIT_DEFAULT = 50
export const LIST_LIMIT_MAX = 100
/** Default page size of ramp lists, shorter than that of other lists (contract 11). */
export const PER_PAGE_DEFAULT = 20
/** The deepest offset a list accepts. Beyond it the client needs a filter; the database should not count that far. */
export const LIST_OFFSET_MAX = 1_000_000_000
/**
 * Whole lists that one organization may read at once in one process, each a page at a time: enough for people who
 * save tables, and as much work as four clients that page by themselves. When to try again after a refusal: most lists end
 * within seconds.
 */
export const STREAMED_LISTS_MAX = 4
/** Those of one key, user or service account: half, so that the others of its organization can read lists too. */
export const STREAMED_LISTS_PER_CREDENTIAL_MAX = 2
export const STREAMED_LIST_RETRY_SECONDS = 5
/**
 * Credentials of a network over its limit of refused ones that a process looks up in a second: a fifth of what the limit
 * allows on average, so that a caller with a new and valid one gets in by trying again.
 */
export const REFUSED_NETWORK_LOOKUPS_PER_SECOND = 10
/** Networks over that limit that a process remembers; above it all start again. */
export const REFUSED_NETWORKS_MAX = 10_000
/** Digests of accepted credentials that a process remembers, for callers in such networks: those used last. */
export const ACCEPTED_CREDENTIALS_REMEMBERED_MAX = 10_000
/** A streamed response ends when its client takes no byte for so long: four heartbeats of an event stream. */
export const RESPONSE_STALLED_MS = 60_000
/** A list that loses rows faster than it is read is broken off after so many reads of one page. */
export const READS_OF_A_PAGE_MAX = 10
/** Rows of a list that a page may repeat after a step back: they are left out. */
export const REMEMBERED_ROWS_MAX = 1_000
/** Results of a search, of each kind: who searches for more narrows the text, or uses the filter of a list. */
export const SEARCH_RESULTS_MAX = 8
/** Recipients whose names a search opens, the newest: names are encrypted, and opening each takes microseconds. */
export const SEARCH_NAMES_MAX = 1_000
/** A search holds a label, an address, a hash or a signature of Solana. */
export const SEARCH_TEXT_LENGTH_MAX = 128
/** Days that one report of earnings covers (contract 6). */
export const EARNINGS_DAYS = { minimum: 1, maximum: 365, default: 30 } as const
/** Strategies on an allow-list, and caps of an organization: more than any catalogue needs. */
export const DEPOSIT_LIMIT_ENTRIES_MAX = 200
/** Days that the history of a pool covers. */
export const HISTORY_DAYS = { minimum: 1, maximum: 365, default: 30 } as const

/** Free text from users: long enough for any name, short enough for any index. */
export const NAME_LENGTH_MAX = 200
/** Longest reason that a person may give for a decision, in characters. */
export const REASON_LENGTH_MAX = 1_000
/** A wallet's label (contract 7). */
export const WALLET_LABEL_LENGTH_MAX = 100
/** External user ids are opaque to the service, but they are indexed. */
export const EXTERNAL_ID_LENGTH_MAX = 255
/** Metadata is stored verbatim and returned in full with every wallet. */
export const METADATA_BYTES_MAX = 16_384

/** The path of a page of the dashboard: far longer than any is. */
export const SAVED_VIEW_PATH_LENGTH_MAX = 64
/** A view of the dashboard holds the filters of a page: more than all of them take, and less than any browser's limit. */
export const SAVED_VIEW_QUERY_LENGTH_MAX = 2_000

/** Maximum length of an idempotency key, and how long its response is stored (contract 5). */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000
/** How long a second request with the same key waits for the first. */
export const IDEMPOTENCY_WAIT_MS = 5_000
/**
 * How long a claim is valid without a response, and how often its process renews it while the request runs. Shorter than
 * the wait: a repetition takes over the claim of a crashed process while it waits.
 */
export const IDEMPOTENCY_CLAIM_MS = 4_000
export const IDEMPOTENCY_RENEWAL_MS = 1_000
/** `Retry-After` for temporary failures of the service: about as long as a failover or a restart takes. */
export const UNAVAILABLE_RETRY_SECONDS = 2

/** Requests per minute (spec 8, contract 5), before RATE_LIMIT_MULTIPLIER. */
export const RATE_LIMITS = {
  'v1.read': 100,
  'v1.write': 20,
  core: 300,
  auth: 20,
  /** Requests that cause an email, per address of the caller. */
  'auth.mail': 5,
  'allocations.create': 10,
  'allocations.list': 100,
  'agent.poll': 1_000,
  'agent.report': 500,
  'agent.actions.poll': 1_000,
  'agent.actions.report': 500,
  /** As for other core endpoints. Separate, so that an agent that renews eagerly can still report. */
  'agent.renew': 300,
  /** Probes, per address: load balancers and orchestrators may share one. */
  health: 6_000,
  /**
   * Callers without a valid credential, per address: a check of every route without one gets its 401s. Keys are too long
   * to be guessed at any rate.
   */
  anonymous: 3_000,
  /** Client libraries poll and batch; the embedded chains accept connections from this machine only. */
  'sandbox.rpc': 100_000,
} as const
export type RateLimitName = keyof typeof RATE_LIMITS
/** The window of every rate limit: they are named per minute. */
export const RATE_LIMIT_WINDOW_SECONDS = 60
/** Requests wait for the shared counters (REDIS_URL); after this long they are counted in memory. */
export const RATE_LIMIT_STORE_TIMEOUT_MS = { connect: 2_000, command: 500 } as const

/** A health check that takes longer counts as failed, because probes have deadlines of their own. */
export const HEALTH_CHECK_TIMEOUT_MS = 2_000
/** The listener of `/metrics` serves a few scrapers; a slow one must not hold it. */
export const METRICS_REQUEST_TIMEOUT_MS = 5_000
export const METRICS_CONNECTIONS_MAX = 64
/** On shutdown, running requests get this long to finish (contract 2). */
export const SHUTDOWN_TIMEOUT_MS = 10_000
/** Random bytes fetched per system call: one call per request id would cost more than the id itself. */
export const RANDOM_POOL_BYTES = 4_096
/** How long browsers keep the script of the reference page; it changes with releases only. */
export const DOCS_SCRIPT_CACHE_SECONDS = 86_400
/** How long browsers keep the icon at /favicon.ico, whose address does not name its content. */
export const DOCS_ICON_CACHE_SECONDS = 86_400
/** How long browsers keep an asset of the documents: a year, because the pages name it with a hash of its content. */
export const DOCS_ASSET_CACHE_SECONDS = 31_536_000
/** How long browsers keep an asset of the dashboard: a year, because its name changes with its content. */
export const DASHBOARD_ASSET_CACHE_SECONDS = 31_536_000
