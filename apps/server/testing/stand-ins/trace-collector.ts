import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector gets it. */
export interface CollectedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly kind: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** Ids of linked spans. */
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly failure: string | undefined
  /** Of the process that sent it. */
  readonly resource: Readonly<Record<string, string | number | boolean>>
  readonly startedAt: bigint
  readonly endedAt: bigint
}

/** A response status; `hang` never responds. */
type CollectorReply = number | 'hang'

/** A collector of OTLP/HTTP: a real HTTP server on loopback. */
export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** The status of each response; 200 by default. */
  answer: () => CollectorReply
  /** Where a 3xx leads. */
  redirect: string
  /** The spans of accepted requests. */
  spans(): readonly CollectedSpan[]
  close(): Promise<void>
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const accepted: CollectedSpan[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    collector.requests.push({ path: request.url ?? '', headers: request.headers, body })
    const answer = collector.answer()
    if (answer === 'hang') return
    if (answer === 200) accepted.push(...spansIn(JSON.parse(body)))
    response.writeHead(answer, { 'content-type': 'application/json', location: collector.redirect }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: () => 200,
    redirect: '/',
    spans: () => accepted,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return collector
}

interface KeyValue {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: string
    readonly doubleValue?: number
    readonly boolValue?: boolean
  }
}

interface SpanBody {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code?: number; readonly message?: string }
}

interface TracesRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] }
    readonly scopeSpans: readonly { readonly spans: readonly SpanBody[] }[]
  }[]
}

function spansIn(request: TracesRequest): CollectedSpan[] {
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(
        ({ name, traceId, spanId, parentSpanId, kind, links = [], status, ...span }): CollectedSpan => ({
          name,
          traceId,
          spanId,
          parentSpanId,
          kind,
          attributes: valuesOf(span.attributes),
          links,
          failure: status.code === 2 ? status.message : undefined,
          resource: valuesOf(resource.attributes),
          startedAt: BigInt(span.startTimeUnixNano),
          endedAt: BigInt(span.endTimeUnixNano),
        }),
      ),
    ),
  )
}

function valuesOf(list: readonly KeyValue[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    list.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue)! : Number(intValue)),
    ]),
  )
}
