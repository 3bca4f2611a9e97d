/** Limits on security events: a flood of refused requests costs neither the request path nor the disk. */

/** Security events are written in batches, at most this long after they happened. */
export const SECURITY_EVENT_FLUSH_MS = 1_000
/** How long a process that stops waits for a disk that takes no lines of security events. */
export const SECURITY_EVENT_LINES_WAIT_MS = 2_000
/** Events that are merged into one row: those of one group within a minute. */
export const SECURITY_EVENT_WINDOW_MS = 60_000
/** Rows that one group (type, network, organization) writes per minute and process before its events are merged. */
export const SECURITY_EVENTS_PER_GROUP_MAX = 5
/** Rows of all groups per minute and process before all further events are merged. */
export const SECURITY_EVENTS_PER_WINDOW_MAX = 300
/** Merged rows per minute and process; events of further groups are merged whatever their address. */
export const SECURITY_EVENT_GROUPS_MAX = 200
/** Events that wait for an unavailable database; the oldest are dropped beyond it. */
export const SECURITY_EVENTS_BUFFER_MAX = 10_000
/** Rows of the table, about 1 GB: a flood of weeks deletes older events before it fills the disk. */
export const SECURITY_EVENTS_MAX = 3_000_000
