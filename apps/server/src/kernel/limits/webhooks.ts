/** Limits on events, event streams and webhooks. */

/** Maximum length of a webhook URL; people do not write longer ones. */
export const WEBHOOK_URL_LENGTH_MAX = 2_048
/** One delivery attempt, from connecting to the end of the response (contract 12). */
export const WEBHOOK_TIMEOUT_MS = 10_000
/** Only the status of a receiver's response counts; at most this much of its body is read. */
export const WEBHOOK_RESPONSE_BYTES_MAX = 4_096
/**
 * How much a server that a customer named may send for one request, with status line, headers and framing. No body that
 * is read is longer than a quarter of it.
 */
export const GUARDED_RESPONSE_BYTES_MAX = 1_048_576
/** Concurrent requests to one receiver; more would overwhelm a small one. */
export const WEBHOOK_REQUESTS_PER_RECEIVER_MAX = 8
/** Receivers that one process serves concurrently. */
export const WEBHOOK_CONCURRENCY_MAX = 500
/** When a process stops serving a webhook with a backlog because others wait: after seconds or deliveries. */
export const WEBHOOK_TIME_SLICE = { ms: 5_000, deliveries: 200 } as const
/** How long the old secret of a webhook keeps signing alongside the new one (contract 12). */
export const WEBHOOK_SECRET_GRACE_MS = 24 * 3_600_000
/** Old secrets of a webhook that sign at once: each adds 48 bytes to a header, and some receivers allow 1 KB for one. */
export const WEBHOOK_OLD_SECRETS_MAX = 5
/** A webhook that has only failed for this long is disabled (contract 12). */
export const WEBHOOK_DISABLE_AFTER_MS = 3 * 86_400_000
/** Attempts stored per delivery, the newest ones: replays could add more without end. */
export const WEBHOOK_ATTEMPTS_STORED_MAX = 50
/** Delay after each failed attempt (contract 12); after the last delay there are no further attempts. */
export const WEBHOOK_RETRY_AFTER_MS = [
  5_000,
  60_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  6 * 3_600_000,
  24 * 3_600_000,
] as const satisfies readonly number[]
/** Consecutive failures after which the whole endpoint is paused, first briefly, then longer. */
export const WEBHOOK_FAILURES_UNTIL_PAUSE = 5
export const WEBHOOK_PAUSE_MS = { min: 5_000, max: 60_000 } as const
/** A delivery whose key this process lacks is left to others for this long. */
export const WEBHOOK_KEY_WAIT_MS = 60_000
/** A process that does not renew a lease for this long is considered dead, and others take over its webhooks. */
export const WEBHOOK_LEASE_MS = 30_000
/**
 * Times that lie further ahead were written by a process whose clock is wrong. Within it, events keep their order among
 * processes whose clocks differ, and deliveries wait for it at most.
 */
export const EVENT_CLOCK_AHEAD_MS_MAX = 60_000
/** A lease that ends later was written so. Far more than clocks differ: two processes must not take leases from each other. */
export const WEBHOOK_LEASE_AHEAD_MS_MAX = 600_000
/** Interval of polling for work without a nudge: retries, and events relayed by another process. */
export const WEBHOOK_POLL_INTERVAL_MS = 100
/** Number and maximum age of prefetched deliveries; later the webhook may have changed. */
export const WEBHOOK_PREFETCH_MAX = 32
export const WEBHOOK_PREFETCH_AGE_MS_MAX = 1_000
/** Failing webhooks that are disabled per round. */
export const WEBHOOK_DISABLE_BATCH = 100
/** Pending deliveries of a stopped webhook that one transaction fails: tens of milliseconds under its row lock. */
export const WEBHOOK_STOP_BATCH = 2_000
/** Such batches per round: a round ends within seconds. */
export const WEBHOOK_STOP_BATCHES_MAX = 100
/** How long a connection is reused: shorter than most servers keep one; afterwards the name is checked again. */
export const WEBHOOK_KEEP_ALIVE_MS = 4_000
/** Two tries: with the connection, an attempt ends within its 10 seconds. */
export const WEBHOOK_DNS_TIMEOUT = { timeout: 2_000, tries: 2 } as const

/**
 * The longest wait of another process's event for its position; one small read each. A process that only works finds
 * every event this way; one that also serves requests finds its own by {@link EVENT_RELAY_AFTER_WRITE_SECONDS}.
 */
export const EVENT_RELAY_POLL_SECONDS = { worker: 0.05, all: 0.1 } as const
/** When an event that this process wrote is looked for: nearly every transaction commits within the first of these. */
export const EVENT_RELAY_AFTER_WRITE_SECONDS = [0.003, 0.006, 0.012, 0.024, 0.048] as const
/** When an event that could not be published is tried again; doubles with each failure, up to the maximum. */
export const EVENT_HOLD_MS = { first: 5_000, max: 600_000 } as const
/** Held events that one round tries again, each in a transaction of its own: new events wait for it. */
export const HELD_EVENTS_BATCH = 50
/**
 * Events that one search reads, from the newest back: a rare kind among millions would cost a read of all of them, so that
 * a search continues where the one before it ended.
 */
export const EVENT_SEARCH_ROWS = 10_000
/** How far an event's time may be from the order of events: no transaction is open for as long. */
export const EVENT_ORDER_WINDOW_MS = 60_000
/** Events per transaction: a trade-off between throughput and transaction length. */
export const EVENT_RELAY_BATCH = 500
/**
 * Events and deliveries that one transaction writes: a tenth of what a hundred webhooks would make of a batch, and about a
 * second of waiting for the events of others.
 */
export const EVENT_RELAY_DELIVERIES_MAX = 5_000
/**
 * How long the relay waits for the row of a webhook: the events of every organization wait with it. Far longer than a
 * change of a row takes.
 */
export const EVENT_RELAY_LOCK_MS = 1_000
/** Time-outs after which a round ends: as many as halving a whole batch down to one event costs. */
export const EVENT_RELAY_TIMEOUTS_MAX = 10
/**
 * When the events of an organization are tried again of which one alone ran into a time-out; doubles up to the maximum.
 * Other events wait for an attempt as long as a statement may take, so it must be rare.
 */
export const EVENT_BACKOFF_MS = { first: 5_000, max: 120_000 } as const
/** Polling interval while there are subscribers; one poll serves all of them. */
export const EVENT_FEED_POLL_INTERVAL_MS = 100
/** Event streams that one organization may hold open in one process. */
export const EVENT_STREAMS_PER_ORGANIZATION_MAX = 50
/** Those of one key, user or service account: a tab or a process each, and room for others of the organization. */
export const EVENT_STREAMS_PER_CREDENTIAL_MAX = 10
/** Interval of heartbeat comments on an idle stream; without them, proxies would close it. */
export const EVENT_STREAM_HEARTBEAT_MS = 15_000
/** How long a client waits before it reconnects; sent as `retry` at the start of a stream. */
export const EVENT_STREAM_RECONNECT_MS = 2_000
