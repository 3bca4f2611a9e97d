/** A limit on everything, each with its reason (house habit 7). */

/** Decisions 4: larger bodies are refused with 413; the largest honest one, a signed transaction, is below 200 KB. */
export const MAX_BODY_BYTES = 1_048_576

/** Specification 8 and decisions 5: lists. */
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

/** A profile's `operationTimeoutSeconds` (decisions 3). */
export const OPERATION_TIMEOUT_SECONDS = { least: 30, default: 120, most: 3_600 } as const

/** An idempotency key's length and how long its answer is kept (decisions 5). */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const IDEMPOTENCY_KEEP_MS = 24 * 3_600_000
/** How long a second request with the same key waits for the first. */
export const IDEMPOTENCY_WAIT_MS = 5_000

/** Requests that are still running at a stop get this long (decisions 2). */
export const DRAIN_MS = 10_000

/** Requests per minute (specification 8, decisions 5), before RATE_LIMIT_MULTIPLIER. */
export const RATE_LIMITS = {
  'v1.read': 100,
  'v1.write': 20,
  core: 300,
  auth: 20,
  'allocations.create': 10,
  'allocations.list': 100,
  'agent.poll': 1_000,
  'agent.report': 500,
  /** Callers without a valid credential, per address: enough for honest mistakes, too little to guess keys. */
  anonymous: 300,
} as const
export type RateLimitName = keyof typeof RATE_LIMITS

/** Ten wrong passwords in fifteen minutes per account and address close the door for the rest of them (decisions 3). */
export const LOGIN_FAILURES_MAX = 10
export const LOGIN_FAILURES_WINDOW_MS = 15 * 60_000

/** Decisions 3: tokens. A refresh token outlives a long weekend, not a quarter. */
export const ACCESS_TOKEN_SECONDS = 3_600
export const REFRESH_TOKEN_SECONDS = 30 * 86_400

/** Signed transactions larger than this are none of ours: Solana's limit is 1,232 bytes, our EVM plans stay below 1 KB. */
export const SIGNED_TRANSACTION_BYTES_MAX = 131_072

/** EVM: a pending transaction without inclusion fails with TIMEOUT after this (decisions 8). */
export const EVM_INCLUSION_TIMEOUT_MS = 30 * 60_000
/** A pending transaction that nodes which answer do not know for this long is DROPPED (decisions 8). */
export const DROPPED_AFTER_MS = 120_000

/** A request that sends bytes has surely ended after this: what it left unacknowledged is looked after by others. */
export const SEND_ENDED_AFTER_MS = 5_000

/** How long a plan's lock may wait before the request gives up: longer means that something is stuck. */
export const STATEMENT_TIMEOUT_MS = 30_000
export const LOCK_TIMEOUT_MS = 10_000

/** A webhook's URL: longer ones are no addresses of people's making. */
export const WEBHOOK_URL_LENGTH_MAX = 2_048
/** More than any organization has receivers; each is looked at for every event. */
export const WEBHOOKS_PER_ORGANIZATION_MAX = 100
/** An attempt to deliver, from connecting to the end of the answer (decisions 12). */
export const WEBHOOK_TIMEOUT_MS = 10_000
/** Of a receiver's answer only the status counts; more of its body than this is not read. */
export const WEBHOOK_ANSWER_BYTES_MAX = 4_096
/** Requests under way to one receiver; more would be an attack on a small one. */
export const WEBHOOK_PARALLEL = 8
/** Receivers that one process serves at the same time. */
export const WEBHOOK_LANES = 500
/** How long the old secret of a webhook signs beside the new one (decisions 12). */
export const WEBHOOK_OLD_SECRET_MS = 24 * 3_600_000
/** A webhook that did nothing but fail for so long is disabled (decisions 12). */
export const WEBHOOK_FAILING_MS = 3 * 86_400_000
/** Attempts that a delivery shows, the newest: replays could add more without end. */
export const WEBHOOK_ATTEMPTS_KEPT = 50

/** Events and deliveries are kept so long, and can be listed, streamed and replayed. */
export const EVENTS_KEEP_MS = 30 * 86_400_000
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
