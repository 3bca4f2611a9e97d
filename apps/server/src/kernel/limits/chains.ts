/** Limits on traffic to and from nodes, and on what is cached of it. */

/** After this long, another endpoint serves a read better. */
export const RPC_READ_TIMEOUT_MS = 8_000
/** A node may hold an accepted transaction until its peers have it; giving up early leaves the outcome in doubt. */
export const RPC_SEND_TIMEOUT_MS = 15_000
/** Erigon's nodes and many providers refuse larger JSON-RPC batches; an endpoint that refuses this many gets fewer. */
export const RPC_BATCH_MAX = 100
/** How long an endpoint that refused a batch gets smaller ones only. */
export const RPC_BATCH_SIZE_RETRY_MS = 600_000
/** The parts of a batch that an endpoint takes only in smaller ones may take this many timeouts of one, together. */
export const RPC_BATCH_PARTS_TIMEOUTS_MAX = 4
/** A full block with its receipts is a few megabytes on the busiest served chain; more is an error or an attack. */
export const RPC_RESPONSE_BYTES_MAX = 67_108_864
/** A longer response is read for its values and nesting before it is parsed; a shorter one cannot take much memory. */
export const RPC_RESPONSE_UNREAD_BYTES_MAX = 1_048_576
/** Values are 32 bytes and longer on average. A trace or a log is nested a dozen levels. */
export const RPC_RESPONSE_VALUES_MAX = 2_000_000
export const RPC_RESPONSE_DEPTH_MAX = 128
/** Characters kept of a text that a node or a contract chose: it goes into errors, logs and the reasons of operations. */
export const CHAIN_TEXT_LENGTH_MAX = 1_000
/** How long a failed endpoint is skipped; doubles with each consecutive failure, up to the maximum. */
export const RPC_ENDPOINT_COOLDOWN_MS = { first: 5_000, max: 60_000 } as const
/** After this long, a head that no node reported again no longer hides lower ones. Lagging nodes catch up sooner. */
export const HEAD_EXPIRES_AFTER_MS = 300_000
/**
 * The most final blocks between two rounds of following: a thousand, and one for each 100 ms since the last final block.
 * The fastest served chain makes one in 400 ms.
 */
export const FINAL_BLOCKS_AHEAD_MAX = { always: 1_000, oneInMs: 100 } as const
/** How often the latest blocks of a chain's endpoints are compared, if it has several and is in use. */
export const RPC_HEADS_COMPARE_MS = 20_000
/** A latest block older by this much than the clock, and than another endpoint's, is not the chain's latest. */
export const RPC_HEAD_AGE_MAX_MS = 60_000
/** How long an endpoint that lacked the state of a past block is the last to be asked for such state. */
export const RPC_MISSING_STATE_RETRY_MS = 600_000
/**
 * How long an endpoint that stopped responding may be the one that keeps a past state: work waits for it that long, and
 * then continues with what the others keep.
 */
export const RPC_ABSENCE_MS = 600_000
/**
 * How long a method that a node lacks is not called again: the other way costs more calls or says less, and another node
 * may serve sooner.
 */
export const RPC_LACKING_METHOD_RETRY_MS = 600_000
/** How long a block may lack receipts before they are read one by one, from any node: nodes write them after the block. */
export const RPC_RECEIPTS_LATE_MS = 10_000
/** Blocks that lacked receipts, that are remembered; the oldest goes. */
export const RPC_LATE_BLOCKS_MAX = 100
/** Receipts that are read in single requests, each from any node, after one request for all of them left some out. */
export const RPC_SINGLE_RECEIPTS_MAX = 20
/** Blocks at which reads are refused in unknown words, that are remembered; the oldest goes. */
export const REFUSED_PAST_READS_MAX = 100

/** Contract calls per aggregate3: 200 reads of a lending pool stay far below the 50 M gas that nodes grant an eth_call. */
export const MULTICALL_CALLS_MAX = 200

/**
 * Slots of a token's storage that a simulation tries for its balances: they are among the first variables, after what an
 * upgradeable token inherits.
 */
export const TOKEN_STORAGE_SLOTS = 64

/** How long a chain waits for a transaction that explains an account's balance; then the wallet is compared with it. */
export const SOLANA_LATE_LIST_MS = 300_000

/**
 * Rounds whose readings are kept until all lists explain them: lists that are this many rounds late, some 40 seconds, are
 * followed steadily, and later ones at times.
 */
export const SOLANA_UNSETTLED_READINGS_MAX = 20

/**
 * Transactions of a token account whose amounts are compared before bytes count as dead: these landed a minute ago at
 * most, unless the service was away, and each is read in full.
 */
export const SOLANA_EXPLAINED_MENTIONS_MAX = 100

/**
 * How far before a slot the block is that lists must have reached: a few seconds, by which nodes write them late, and far
 * fewer than the margin that expired bytes have.
 */
export const SOLANA_WITNESS_SLOTS_BACK = 10
/** Transactions of that block that are read, to find one that is no vote. */
export const SOLANA_WITNESSES_READ = 20

/** Accounts per request: what Solana's nodes accept. */
export const SOLANA_ACCOUNTS_BATCH = 100
/** Signatures per request for statuses: what Solana's nodes accept. */
export const SOLANA_STATUSES_BATCH = 256
/** Concurrent calls to Solana's nodes: a few HTTP requests, so that providers do not refuse them as too many. */
export const SOLANA_CALLS_BATCH = 400
/** Recent blocks are read again soon: to be settled, and to compute past balances. */
export const SOLANA_BLOCKS_CACHED_MAX = 64
/** Blocks with a wallet's activity that were returned recently; they are read again while they are settled. */
export const SOLANA_ACTIVITY_BLOCKS_CACHED_MAX = 1_000
/** Deriving an address takes a few hundred microseconds, and the same wallets come up again and again. */
export const TOKEN_ADDRESSES_CACHED_MAX = 20_000
/** Signatures per response: what Solana's nodes return. */
export const SIGNATURES_PAGE_SIZE = 1_000
/**
 * Most addresses have nothing new, or one transaction: a small first page keeps a response for many addresses small.
 */
export const SIGNATURES_FIRST_PAGE_SIZE = 20
/** Pages of signatures that one search of an address reads; it continues in the next round. */
export const SIGNATURES_PAGES_MAX = 10
/**
 * Pages of signatures that one round reads of an address to follow it: each of these transactions is read in full. An
 * address with more was mentioned on purpose, and its wallet is compared with the chain instead.
 */
export const ACTIVITY_PAGES_MAX = 2
/** How far back a balance is computed from blocks: beyond it, too many blocks would have to be read. */
export const BALANCE_SLOTS_BACK_MAX = 150
