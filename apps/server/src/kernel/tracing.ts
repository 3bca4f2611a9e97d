/** Ids, names and codes: no amounts, no personal data, no secrets, no SQL, no path or query of a request. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Where a span is, as in the header `traceparent` of W3C Trace Context. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the trace is exported. */
  readonly isSampled: boolean
}

export interface SpanOptions {
  readonly name: string
  /** `server`: a request that arrived; `client`: one that is sent, the database included. Default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** Default: the span around it. `none` begins a trace. */
  readonly parent?: TraceContext | 'none' | undefined
  readonly links?: readonly TraceContext[]
  /** Repeated work: it is exported only if it changed something or failed. */
  readonly isRound?: boolean
}

export interface Span {
  /** Undefined without tracing. */
  readonly context: TraceContext | undefined
  set(attributes: SpanAttributes): void
  /** Marks it as failed. `type` is a code or the name of an error, never its message. The first one counts. */
  fail(type: string): void
}

/** A span that its holder ends; a second end does nothing. */
export interface OpenSpan extends Span {
  end(): void
}

/** Something that happened to an operation. */
export interface TracedStep {
  readonly name: string
  readonly facts: SpanAttributes
  /** It is the one that begins the operation's trace. */
  readonly isFirst: boolean
}

/** Records spans. ADR 135 says how the spans of an operation find each other. */
export interface Tracer {
  begin(options: SpanOptions): OpenSpan
  /** Runs `work` with this span around it. */
  within<T>(span: OpenSpan, work: () => T): T
  /** The span around the caller. */
  current(): TraceContext | undefined
  /** The round around the caller changed something, so it is exported. */
  noteChange(): void
  /** What the `traceparent` of a caller means for the span of its request. */
  fromCaller(traceparent: string | undefined): Pick<SpanOptions, 'parent' | 'links'>
  /** The first span of an operation's trace, in every process. */
  operation(organizationId: number, operationId: number): TraceContext
  /** Records a step in the operation's trace, linked with the span around the caller, and runs `work` in it. */
  step(step: TracedStep, work: () => void): void
}

/** What programs choose as codes. */
const CODE = /^\w{1,64}$/

const NO_SPAN: Span = { context: undefined, set: () => undefined, fail: () => undefined }

let tracer: Tracer | undefined

/** The tracer of this process; undefined: tracing is off, and costs a comparison where a span would begin. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next
}

export function activeTracer(): Tracer | undefined {
  return tracer
}

/** Runs `work` in a span. An error marks it as failed, with its code or name. `describe` is called only if tracing is on. */
export function inSpan<T>(describe: () => SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === undefined ? work(NO_SPAN) : recordSpan(tracer, describe(), work)
}

async function recordSpan<T>(on: Tracer, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const span = on.begin(options)
  try {
    return await on.within(span, () => work(span))
  } catch (error) {
    span.fail(errorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** Codes and names only: a message may repeat what came from outside. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' && CODE.test(error.code) ? error.code : error.name
}

/** Runs `work` for a step of an operation, in a span of the operation's trace. */
export function inStep(step: TracedStep, work: () => void): void {
  if (tracer === undefined) work()
  else tracer.step(step, work)
}

/** The first span of an operation's trace; undefined without tracing. */
export function operationTrace(organizationId: number, operationId: number): TraceContext | undefined {
  return tracer?.operation(organizationId, operationId)
}

/** Fields that connect a log line with the span around it. */
export function traceFields(): Record<string, string> {
  const context = tracer?.current()
  return context?.isSampled ? { trace_id: context.traceId, span_id: context.spanId } : {}
}

/** The header that continues a trace elsewhere. */
export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
