/** A limit on everything, each with its reason (house habit 7). */

/** Contract 4: larger bodies are refused with 413; the largest honest one, a signed transaction, is below 200 KB. */
export const MAX_BODY_BYTES = 1_048_576

/** Spec 8 and contract 5: lists. */
export const LIST_LIMIT_DEFAULT = 50
export const LIST_LIMIT_MAX = 100

/** Deepest offset that a list serves: beyond it a client wants a filter, and the database should not count that far. */
export const LIST_OFFSET_MAX = 1_000_000_000

/** Free texts that users give; long enough for any name, short enough for any index. */
export const NAME_LENGTH_MAX = 200

/** External user ids are opaque to us, but they stand in an index. */
export const EXTERNAL_ID_LENGTH_MAX = 255

/** Metadata is stored as it is given and returned whole with every wallet. */
export const METADATA_BYTES_MAX = 16_384

/** A profile's `operationTimeoutSeconds` (contract 3). */
export const OPERATION_TIMEOUT_SECONDS = { least: 30, default: 120, most: 3_600 } as const

/** An idempotency key's length and how long its answer is kept (contract 5). */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000
/** How long a second request with the same key waits for the first. */
export const IDEMPOTENCY_WAIT_MS = 5_000

/** Requests that are still running at a stop get this long (contract 2). */
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
  /** Of its own, so that an agent that renews eagerly can still report. */
  'agent.renew': 500,
  /** Callers without a valid credential, per address: enough for honest mistakes, too little to guess keys. */
  anonymous: 300,
  /** Client libraries poll and batch; the embedded chains answer this machine only. */
  'sandbox.rpc': 100_000,
} as const
export type RateLimitName = keyof typeof RATE_LIMITS

/** Ten wrong passwords in fifteen minutes per account and address close the door for the rest of them (contract 3). */
export const LOGIN_FAILURES_MAX = 10
export const LOGIN_FAILURES_WINDOW_MS = 15 * 60_000

/** Contract 3: tokens. A refresh token outlives a long weekend, not a quarter. */
export const ACCESS_TOKEN_SECONDS = 3_600
export const REFRESH_TOKEN_SECONDS = 30 * 86_400

/** Signed transactions larger than this are none of ours: Solana's limit is 1,232 bytes, our EVM plans stay below 1 KB. */
export const SIGNED_TRANSACTION_BYTES_MAX = 131_072

/** EVM: a pending transaction without inclusion fails with TIMEOUT after this (contract 8). */
export const EVM_INCLUSION_TIMEOUT_MS = 30 * 60_000
/** A pending transaction that nodes which answer do not know for this long is DROPPED (contract 8). */
export const DROPPED_AFTER_MS = 120_000

/** A request that sends bytes has surely ended after this: what it left unacknowledged is looked after by others. */
export const BROADCAST_REQUEST_TIMEOUT_MS = 5_000

/** How long a plan's lock may wait before the request gives up: longer means that something is stuck. */
export const STATEMENT_TIMEOUT_MS = 30_000
export const LOCK_TIMEOUT_MS = 10_000

/** A webhook's URL: longer ones are no addresses of people's making. */
export const WEBHOOK_URL_LENGTH_MAX = 2_048
/** More than any organization has receivers; each is looked at for every event. */
export const WEBHOOKS_PER_ORGANIZATION_MAX = 100
/** An attempt to deliver, from connecting to the end of the answer (contract 12). */
export const WEBHOOK_TIMEOUT_MS = 10_000
/** Of a receiver's answer only the status counts; more of its body than this is not read. */
export const WEBHOOK_RESPONSE_BYTES_MAX = 4_096
/** Requests under way to one receiver; more would be an attack on a small one. */
export const WEBHOOK_REQUESTS_PER_RECEIVER_MAX = 8
/** Receivers that one process serves at the same time. */
export const WEBHOOK_CONCURRENCY_MAX = 500
/** How long the old secret of a webhook signs beside the new one (contract 12). */
export const WEBHOOK_SECRET_GRACE_MS = 24 * 3_600_000
/** A webhook that did nothing but fail for so long is disabled (contract 12). */
export const WEBHOOK_DISABLE_AFTER_MS = 3 * 86_400_000
/** Attempts that a delivery shows, the newest: replays could add more without end. */
export const WEBHOOK_ATTEMPTS_STORED_MAX = 50

/** Events and deliveries are kept so long, and can be listed, streamed and replayed. */
export const EVENTS_RETENTION_MS = 30 * 86_400_000
/** Streams of events that one organization may hold open in one process. */
export const EVENT_STREAMS_PER_ORGANIZATION_MAX = 50
/** A silent stream sends a comment so often, or what stands between would close it. */
export const EVENT_STREAM_HEARTBEAT_MS = 15_000

/** An approval policy is read by people and judged for every plan: more rules than this nobody oversees. */
export const POLICY_RULES_MAX = 100
/** Wallets, providers or counterparties that one condition names. */
export const POLICY_LIST_MAX = 500
/** A rule's name stands on the operations that it decided. */
export const POLICY_NAME_LENGTH_MAX = 100

/** Contract 9: how long an agent may ask to have a transaction or an action for itself. */
export const LEASE_MS = { least: 1_000, default: 30_000, most: 600_000 } as const
/** Contract 9: how long a poll may wait for work. */
export const POLL_WAIT_MS_MAX = 30_000
/** One look for all who wait, in each process: what is offered is given out within this time, at ten small reads a second. */
export const AGENT_POLL_INTERVAL_MS = 100
/** So many transactions are tried in one poll before it says that there is none: the others wait for a quieter moment. */
export const AGENT_CLAIM_ATTEMPTS_MAX = 16
/** A claim whose bytes are not built in this time is somebody else's: longer than any chain takes to answer or to fail. */
export const AGENT_CLAIM_MS = 30_000
/** Work on a chain that did not answer is left alone for this long, in this process. */
export const AGENT_CHAIN_COOLDOWN_MS = 2_000
/** Bytes whose fate is about to be settled are looked at again after this: about a block. */
export const AGENT_UNSETTLED_RETRY_MS = 2_000
/** A wallet without coins for the fee is looked at again after this: somebody has to send some. */
export const AGENT_INSUFFICIENT_GAS_RETRY_MS = 30_000
/** Rule 12: a simulation that reverts three times, over five minutes, ends the operation; a node may lag at first. */
export const AGENT_SIMULATION_FAILURES_MAX = 3
export const AGENT_SIMULATION_FAILURE_WINDOW_MS = 5 * 60_000
export const AGENT_SIMULATION_RETRY_MS = 10_000
/** EVM bytes that nobody ever uses never die: what is withheld ends after this, and the next plan takes the same nonce. */
export const AGENT_WITHHELD_MS = 30 * 60_000
/** Handed out, and nobody asked for it again for so long: no agent is working. */
export const AGENT_ABANDONED_MS = 24 * 3_600_000
/** What an agent may say of a failure; longer texts are cut. */
export const AGENT_ERROR_LENGTH_MAX = 2_000
/** Reports that are kept of one transaction, so that each is answered again as at first. */
export const AGENT_REPORTS_STORED_MAX = 20

/** An operation that waits for approval is aborted after so long (contract 8): its money has other uses. */
export const APPROVAL_TIMEOUT_MS = 7 * 24 * 3_600_000
/** An operation that no agent ever had is aborted after so long (contract 8): nobody is there to sign. */
export const UNLEASED_TIMEOUT_MS = 24 * 3_600_000
