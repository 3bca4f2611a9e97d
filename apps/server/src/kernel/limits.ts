/** Every limit of the service, each with its reason. */

/**
 * Contract 4: larger bodies are refused with 413. The largest legitimate one, a signed transaction, is below 200 KB.
 */
export const MAX_BODY_BYTES = 1_048_576
/**
 * An invalid body up to this size is refused with everything that is wrong with it, a larger one with the first error:
 * collecting all of them takes many times as long as reading the body.
 */
export const EXPLAINED_BODY_BYTES_MAX = 16_384

/** Spec 8 and contract 5: lists. */
export const LIST_LIMIT_DEFAULT = 50
export const LIST_LIMIT_MAX = 100

/** The deepest offset a list accepts. Beyond it the client needs a filter; the database should not count that far. */
export const LIST_OFFSET_MAX = 1_000_000_000

/** Free text from users: long enough for any name, short enough for any index. */
export const NAME_LENGTH_MAX = 200

/** External user ids are opaque to the service, but they are indexed. */
export const EXTERNAL_ID_LENGTH_MAX = 255

/** Metadata is stored verbatim and returned in full with every wallet. */
export const METADATA_BYTES_MAX = 16_384

/** A profile's `operationTimeoutSeconds` (contract 3). */
export const OPERATION_TIMEOUT_SECONDS = { min: 30, default: 120, max: 3_600 } as const

/** Maximum length of an idempotency key, and how long its response is stored (contract 5). */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000
/** How long a second request with the same key waits for the first. */
export const IDEMPOTENCY_WAIT_MS = 5_000

/** On shutdown, running requests get this long to finish (contract 2). */
export const SHUTDOWN_TIMEOUT_MS = 10_000

/** Requests per minute (spec 8, contract 5), before RATE_LIMIT_MULTIPLIER. */
export const RATE_LIMITS = {
  'v1.read': 100,
  'v1.write': 20,
  core: 300,
  auth: 20,
  'allocations.create': 10,
  'allocations.list': 100,
  'agent.poll': 1_000,
  'agent.report': 500,
  'agent.actions.poll': 1_000,
  'agent.actions.report': 500,
  /** Separate from reports, so that an agent that renews eagerly can still report. */
  'agent.renew': 500,
  /** Probes, per address: load balancers and orchestrators may share one. */
  health: 6_000,
  /** Callers without a valid credential, per address: enough for honest mistakes, too few to guess keys. */
  anonymous: 300,
  /** Client libraries poll and batch; the embedded chains accept connections from this machine only. */
  'sandbox.rpc': 100_000,
} as const
export type RateLimitName = keyof typeof RATE_LIMITS

/** After ten wrong passwords in fifteen minutes, an account refuses logins from that address (contract 3). */
export const LOGIN_FAILURES_MAX = 10
export const LOGIN_FAILURES_WINDOW_MS = 15 * 60_000

/** Contract 3: token lifetimes. A refresh token outlives a long weekend, not a quarter. */
export const ACCESS_TOKEN_SECONDS = 3_600
export const REFRESH_TOKEN_SECONDS = 30 * 86_400

/** Larger signed transactions cannot be ours: Solana's limit is 1,232 bytes, and our EVM plans stay below 1 KB. */
export const SIGNED_TRANSACTION_BYTES_MAX = 131_072

/** EVM: a pending transaction that is in no block after this long fails with TIMEOUT (contract 8). */
export const EVM_INCLUSION_TIMEOUT_MS = 30 * 60_000
/** A pending transaction that responsive nodes have not known for this long is DROPPED (contract 8). */
export const DROPPED_AFTER_MS = 120_000

/** A broadcast request has certainly ended after this; other jobs take over what it left unacknowledged. */
export const BROADCAST_REQUEST_TIMEOUT_MS = 5_000

/** How long a plan waits for a lock before the request fails: a longer wait means that something is stuck. */
export const STATEMENT_TIMEOUT_MS = 30_000
export const LOCK_TIMEOUT_MS = 10_000

/** Maximum length of a webhook URL; people do not write longer ones. */
export const WEBHOOK_URL_LENGTH_MAX = 2_048
/** More than any organization needs; every event is matched against each of them. */
export const WEBHOOKS_PER_ORGANIZATION_MAX = 100
/** One delivery attempt, from connecting to the end of the response (contract 12). */
export const WEBHOOK_TIMEOUT_MS = 10_000
/** Only the status of a receiver's response counts; at most this much of its body is read. */
export const WEBHOOK_RESPONSE_BYTES_MAX = 4_096
/** Concurrent requests to one receiver; more would overwhelm a small one. */
export const WEBHOOK_REQUESTS_PER_RECEIVER_MAX = 8
/** Receivers that one process serves concurrently. */
export const WEBHOOK_CONCURRENCY_MAX = 500
/** How long the old secret of a webhook keeps signing alongside the new one (contract 12). */
export const WEBHOOK_SECRET_GRACE_MS = 24 * 3_600_000
/** A webhook that has only failed for this long is disabled (contract 12). */
export const WEBHOOK_DISABLE_AFTER_MS = 3 * 86_400_000
/** Attempts stored per delivery, the newest ones: replays could add more without end. */
export const WEBHOOK_ATTEMPTS_STORED_MAX = 50

/** Events and deliveries are retained this long; until then they can be listed, streamed and replayed. */
export const EVENTS_RETENTION_MS = 30 * 86_400_000
/** Event streams that one organization may hold open in one process. */
export const EVENT_STREAMS_PER_ORGANIZATION_MAX = 50
/** Interval of heartbeat comments on an idle stream; without them, proxies would close it. */
export const EVENT_STREAM_HEARTBEAT_MS = 15_000

/** An approval policy is read by people and evaluated for every plan: nobody can oversee more rules than this. */
export const POLICY_RULES_MAX = 100
/** Wallets, providers or counterparties that one condition names. */
export const POLICY_LIST_MAX = 500
/** A rule's name is shown on the operations that it decided. */
export const POLICY_NAME_LENGTH_MAX = 100

/** Contract 9: how long an agent may lease a transaction or an action. */
export const LEASE_MS = { min: 1_000, default: 30_000, max: 600_000 } as const
/** Contract 9: how long a poll may wait for work. */
export const POLL_WAIT_MS_MAX = 30_000
/** All waiting polls of a process share one lookup: work reaches an agent within this time, at ten small reads/s. */
export const AGENT_POLL_INTERVAL_MS = 100
/** Transactions that one poll tries before it reports that there is no work; the rest wait for a quieter moment. */
export const AGENT_CLAIM_ATTEMPTS_MAX = 16
/** A claim whose bytes are not built in time passes to someone else; no chain takes this long to respond or fail. */
export const AGENT_CLAIM_MS = 30_000
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

/** An operation that waits for approval is aborted after this long (contract 8): its money has other uses. */
export const APPROVAL_TIMEOUT_MS = 7 * 24 * 3_600_000
/** An operation that no agent has ever leased is aborted after this long (contract 8): nobody is there to sign. */
export const UNLEASED_TIMEOUT_MS = 24 * 3_600_000
