/** Limits on traces: they never slow or stop the service, and use bounded memory. */

/** Spans that wait to be exported; further ones are dropped. About 2 MiB. */
export const SPANS_WAITING_MAX = 2_048
/** Spans in one request to the collector: keeps a request within some hundred kilobytes. */
export const SPANS_PER_EXPORT_MAX = 512
/** How long spans wait for others. */
export const SPAN_EXPORT_DELAY_MS = 5_000
/** The longest pause before a collector that does not accept spans gets another request. */
export const SPAN_EXPORT_PAUSE_MS_MAX = 60_000
/** How long a stop waits for the last spans to be exported. */
export const SPAN_FLUSH_TIMEOUT_MS = 2_000
/** Spans of a round of repeated work that wait until the round changes something; further ones are dropped. */
export const ROUND_SPANS_MAX = 256
/** Links of a span: a batch may settle many operations. */
export const SPAN_LINKS_MAX = 128
/** Characters of a text in a span. */
export const SPAN_TEXT_LENGTH_MAX = 256
