import type { SpanRecord } from './recorded-span.ts'

/** Kinds of spans, as OTLP numbers them. */
const KINDS = { internal: 1, server: 2, client: 3 } as const
const STATUS_ERROR = 2
/** Bits of `flags`: sampled, and whether it is known where the parent or the linked span is. */
const SAMPLED = 0x1
/** The names of attributes follow this version of the semantic conventions. */
const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.37.0'

type Value = string | number | boolean

/** The body of an OTLP/HTTP request in JSON (OTLP 1): ids in hexadecimal, 64-bit numbers as text. */
export function tracesRequest(resource: Readonly<Record<string, Value>>, spans: readonly SpanRecord[]): string {
  const version = resource['service.version']
  const scope = { name: 'weir', ...(typeof version === 'string' && { version }) }
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(Object.entries(resource)) },
        schemaUrl: SCHEMA_URL,
        scopeSpans: [{ scope, spans: spans.map(spanOf), schemaUrl: SCHEMA_URL }],
      },
    ],
  })
}

function spanOf(span: SpanRecord): Record<string, unknown> {
  const { context, parentSpanId, name, kind, startedAt, endedAt, attributes, links, droppedLinks, failure } = span
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(Math.max(startedAt, endedAt)),
    attributes: attributesOf([...attributes, ...(failure === undefined ? [] : [['error.type', failure] as const])]),
    ...(links.length > 0 && { links: links.map(({ traceId, spanId }) => ({ traceId, spanId })) }),
    ...(droppedLinks > 0 && { droppedLinksCount: droppedLinks }),
    status: failure === undefined ? {} : { code: STATUS_ERROR, message: failure },
  }
}

function attributesOf(entries: Iterable<readonly [string, Value]>): { key: string; value: Record<string, unknown> }[] {
  return [...entries].map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: Value): Record<string, unknown> {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Milliseconds with a fraction as nanoseconds, exact to the microsecond. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1_000)}000`
}
