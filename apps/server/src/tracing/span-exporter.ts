import {
  createOutageLog,
  type Log,
  SPAN_EXPORT_DELAY_MS,
  SPAN_EXPORT_PAUSE_MS_MAX,
  SPAN_FLUSH_TIMEOUT_MS,
  SPANS_PER_EXPORT_MAX,
  SPANS_WAITING_MAX,
} from '../kernel/index.ts'
import { tracesRequest } from './otlp-json.ts'
import type { SpanRecord } from './recorded-span.ts'

export interface SpanExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Per request. */
  readonly timeoutMs: number
  /** What all spans have in common: `service.name` and others. */
  readonly resource: Readonly<Record<string, string | number | boolean>>
  readonly log: Log
  /** How long spans wait for others; 5 seconds except in tests. */
  readonly delayMs?: number
}

/** Sends spans to a collector in the background, some hundred at a time and one request at a time. */
export interface SpanExporter {
  /** Never waits and never fails. A span that finds 2,048 others waiting is dropped. */
  add(span: SpanRecord): void
  /** Sends what waits, for at most two seconds, and drops the rest. */
  stop(): Promise<void>
}

/** `later`: the collector may accept the same spans later. `never`: it refused them. */
type Outcome = 'accepted' | { readonly retry: 'later' | 'never'; readonly reason: string }

/** Statuses after which OTLP asks for another attempt. */
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504])

export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const { url, headers, timeoutMs, resource, log, delayMs = SPAN_EXPORT_DELAY_MS } = options
  const outage = createOutageLog(log, {
    away: 'failed to export traces',
    back: 'traces are exported again',
  })
  const giveUp = new AbortController()
  const waiting: SpanRecord[] = []
  let dropped = 0
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let isStopped = false

  function add(span: SpanRecord): void {
    if (isStopped || waiting.length >= SPANS_WAITING_MAX) {
      dropped += 1
      return
    }
    waiting.push(span)
    if (waiting.length === SPANS_PER_EXPORT_MAX && failures === 0) schedule(0)
    else if (timer === undefined) schedule(delayMs)
  }

  function schedule(milliseconds: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void sendNext(), milliseconds).unref()
  }

  function sendNext(): Promise<void> {
    sending ??= sendBatch().finally(() => {
      sending = undefined
      timer = undefined
      if (!isStopped && waiting.length > 0) schedule(pauseMs())
    })
    return sending
  }

  /** A collector that does not accept spans is tried ever less often; a long queue is sent at once. */
  function pauseMs(): number {
    if (failures > 0) return Math.min(delayMs * 2 ** Math.min(failures, 10), SPAN_EXPORT_PAUSE_MS_MAX)
    return waiting.length >= SPANS_PER_EXPORT_MAX ? 0 : delayMs
  }

  async function sendBatch(): Promise<void> {
    const batch = waiting.slice(0, SPANS_PER_EXPORT_MAX)
    if (batch.length === 0) return
    const outcome = await post(tracesRequest(resource, batch))
    if (outcome !== 'accepted' && outcome.retry === 'later') {
      failures += 1
      outage.failed({ reason: outcome.reason })
      return
    }
    // Only this function removes spans, so the batch is still at the front.
    waiting.splice(0, batch.length)
    if (outcome === 'accepted') {
      failures = 0
      outage.recovered({ dropped })
      dropped = 0
    } else {
      failures += 1
      dropped += batch.length
      outage.failed({ reason: outcome.reason })
    }
  }

  async function post(body: string): Promise<Outcome> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'user-agent': 'Weir-Traces/1', ...headers, 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), giveUp.signal]),
      })
      await response.body?.cancel()
      if (response.ok) return 'accepted'
      const retry = RETRYABLE_STATUSES.has(response.status) ? 'later' : 'never'
      return { retry, reason: `the collector returned HTTP ${response.status}` }
    } catch (error) {
      return { retry: 'later', reason: reasonOf(error) }
    }
  }

  async function flush(): Promise<void> {
    await sending
    while (waiting.length > 0 && !giveUp.signal.aborted) {
      const before = waiting.length
      await sendNext()
      if (waiting.length === before) return
    }
  }

  return {
    add,
    async stop() {
      if (isStopped) return
      clearTimeout(timer)
      const limit = setTimeout(() => giveUp.abort(), SPAN_FLUSH_TIMEOUT_MS)
      await flush()
      isStopped = true
      clearTimeout(limit)
      clearTimeout(timer)
      const lost = dropped + waiting.length
      if (lost > 0) log.warn({ dropped: lost }, 'stopped before all spans were exported')
    },
  }
}

/** The code or name of an error: the message of a failed request may repeat its URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'unknown'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}
