import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../testing/index.ts'
import { startTraceCollector, type TraceCollector } from '../../testing/stand-ins/trace-collector.ts'
import { ManualClock, SPAN_FLUSH_TIMEOUT_MS, SPANS_WAITING_MAX, silentLog } from '../kernel/index.ts'
import { createTracer } from './create-tracer.ts'
import type { SpanRecord } from './recorded-span.ts'
import { createSpanExporter, type SpanExporter, type SpanExporterOptions } from './span-exporter.ts'

let collector: TraceCollector
beforeEach(async () => {
  collector = await startTraceCollector()
})
afterEach(() => collector.close())

function exporterTo(options: Partial<SpanExporterOptions> = {}): SpanExporter {
  const url = `${collector.url}/v1/traces`
  const resource = { 'service.name': 'weir', 'process.pid': 7 }
  return createSpanExporter({ url, headers: {}, timeoutMs: 10_000, resource, log: silentLog, delayMs: 5, ...options })
}

/** Spans as the service records them. */
function record(count: number, attributes: Record<string, string | number | boolean> = {}): SpanRecord[] {
  const spans: SpanRecord[] = []
  const { begin } = createTracer({
    clock: new ManualClock(new Date('2026-01-01T00:00:00Z')),
    sampler: { ratio: 1, followsParent: true },
    callers: 'link',
    key: 'a key',
    onSpan: (span) => spans.push(span),
  })
  for (let each = 0; each < count; each += 1) begin({ name: `span ${each}`, kind: 'client', attributes }).end()
  return spans
}

/** A log, and the lines that it got. */
function lines() {
  const written: Record<string, unknown>[] = []
  return { log: pino({}, { write: (line: string) => void written.push(JSON.parse(line)) }), written }
}

describe('spans', () => {
  test('arrive as OTLP in JSON, with the headers of the setting', async () => {
    const { add, stop } = exporterTo({ headers: { authorization: 'Bearer token' } })
    const [span] = record(1, { 'http.route': '/v1/wallets', count: 3, share: 0.5, ok: true }) as [SpanRecord]
    add(span)
    await stop()
    expect(collector.requests).toHaveLength(1)
    const [{ path, headers, body }] = collector.requests as [TraceCollector['requests'][number]]
    expect(path).toBe('/v1/traces')
    expect(headers).toMatchObject({ 'content-type': 'application/json', authorization: 'Bearer token' })
    const { resourceSpans } = JSON.parse(body)
    expect(resourceSpans[0].resource.attributes).toEqual([
      { key: 'service.name', value: { stringValue: 'weir' } },
      { key: 'process.pid', value: { intValue: '7' } },
    ])
    const { startTimeUnixNano, endTimeUnixNano, ...rest } = resourceSpans[0].scopeSpans[0].spans[0]
    expect(rest).toEqual({
      traceId: span.context.traceId,
      spanId: span.context.spanId,
      flags: 1,
      name: 'span 0',
      kind: 3,
      attributes: [
        { key: 'http.route', value: { stringValue: '/v1/wallets' } },
        { key: 'count', value: { intValue: '3' } },
        { key: 'share', value: { doubleValue: 0.5 } },
        { key: 'ok', value: { boolValue: true } },
      ],
      status: {},
    })
    expect(startTimeUnixNano).toMatch(/^17672256000\d{8}$/)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
  })

  test('are sent together, at most 512 at a time, and all of them before a stop', async () => {
    const { add, stop } = exporterTo({ delayMs: 60_000 })
    for (const span of record(1_300)) add(span)
    await stop()
    expect(collector.requests.map(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.length)).toEqual([
      512, 512, 276,
    ])
    expect(new Set(collector.spans().map(({ spanId }) => spanId)).size).toBe(1_300)
  })
})

describe('a collector', () => {
  test.each([429, 503])(
    'that returns %d gets the same spans again, and the log says so in two lines',
    async (status) => {
      const { log, written } = lines()
      const { add, stop } = exporterTo({ log })
      collector.answer = () => (collector.requests.length < 4 ? status : 200)
      for (const span of record(3)) add(span)
      await until(() => collector.spans().length === 3)
      await stop()
      expect(written.map(({ msg }) => msg)).toEqual(['failed to export traces', 'traces are exported again'])
      expect(written[0]).toMatchObject({ level: 40, reason: `the collector returned HTTP ${status}` })
      expect(written[1]).toMatchObject({ level: 30, failures: 3, dropped: 0 })
    },
  )

  test('that refuses spans loses these alone', async () => {
    const { log, written } = lines()
    const { add, stop } = exporterTo({ log })
    collector.answer = () => (collector.requests.length === 1 ? 400 : 200)
    const [refused, accepted] = record(2) as [SpanRecord, SpanRecord]
    add(refused)
    await until(() => collector.requests.length === 1)
    add(accepted)
    await until(() => collector.spans().length === 1)
    await stop()
    expect(collector.spans()[0]!.spanId).toBe(accepted.context.spanId)
    expect(written.at(-1)).toMatchObject({ msg: 'traces are exported again', dropped: 1 })
  })

  test('that never responds delays no span, fills a bounded queue, and holds up a stop for two seconds at most', async () => {
    const { log, written } = lines()
    const { add, stop } = exporterTo({ log })
    collector.answer = () => 'hang'
    for (const span of record(5_000)) add(span)
    await until(() => collector.requests.length === 1)
    const began = performance.now()
    await stop()
    expect(performance.now() - began).toBeLessThan(SPAN_FLUSH_TIMEOUT_MS + 1_000)
    expect(collector.requests).toHaveLength(1)
    expect(written.at(-1)).toMatchObject({ msg: 'stopped before all spans were exported', dropped: 5_000 })
    const bytes = Buffer.byteLength(collector.requests[0]!.body)
    expect((bytes / 512) * SPANS_WAITING_MAX).toBeLessThan(2 * 1024 * 1024)
  })

  test('that does not exist is tried ever less often, and its address is not logged', async () => {
    const { log, written } = lines()
    const { add, stop } = exporterTo({ log, url: 'http://127.0.0.1:1/v1/traces?key=hidden' })
    for (const span of record(2)) add(span)
    await until(() => written.length > 0)
    await stop()
    expect(written[0]).toMatchObject({ msg: 'failed to export traces' })
    expect(JSON.stringify(written)).not.toMatch(/hidden|127\.0\.0\.1/)
  })

  test('that redirects does not send the headers elsewhere', async () => {
    const other = await startTraceCollector()
    const { add, stop } = exporterTo({ headers: { authorization: 'Bearer token' } })
    collector.answer = () => 307
    collector.redirect = other.url
    add(record(1)[0]!)
    await stop()
    expect(other.requests).toEqual([])
    await other.close()
  })
})
