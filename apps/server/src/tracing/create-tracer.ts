import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Clock,
  type OpenSpan,
  ROUND_SPANS_MAX,
  type SpanOptions,
  type TraceContext,
  type TracedStep,
  type Tracer,
} from '../kernel/index.ts'
import { RecordedSpan, type Round, type SpanRecord } from './recorded-span.ts'
import { isTraceSampled, type SamplerSettings } from './sampler.ts'
import { operationIds, parseTraceparent, randomSpanId, randomTraceId } from './trace-context.ts'

export interface TracerParts {
  readonly clock: Clock
  readonly sampler: SamplerSettings
  /**
   * What a caller's `traceparent` means. `link`: the request begins a trace and names the caller's; a stranger can
   * neither add to a trace nor decide that one is exported. `parent`: the request continues the caller's trace.
   */
  readonly callers: 'link' | 'parent'
  /** A secret that all processes of the installation share. */
  readonly key: string
  /** Gets each span that ended and is sampled. Must not wait. */
  readonly onSpan: (span: SpanRecord) => void
}

export function createTracer({ clock, sampler, callers, key, onSpan }: TracerParts): Tracer {
  const around = new AsyncLocalStorage<RecordedSpan>()

  function begin({ name, kind = 'internal', attributes, parent, links, isRound }: SpanOptions): RecordedSpan {
    const enclosing = parent === undefined ? around.getStore() : undefined
    const above = enclosing?.context ?? (parent === 'none' ? undefined : parent)
    const traceId = above?.traceId ?? randomTraceId()
    const round = isRound ? { isKept: false, isOver: false, waiting: [] } : enclosing?.round
    return new RecordedSpan({
      context: {
        traceId,
        spanId: randomSpanId(),
        isSampled: above ? above.isSampled : isTraceSampled(sampler, traceId),
      },
      parentSpanId: above?.spanId,
      name,
      kind,
      attributes,
      links,
      epoch: enclosing?.epoch ?? epochNow(),
      round,
      onEnd: isRound ? endRound : endSpan,
    })
  }

  /** Within a trace times follow the monotonic clock, so that a corrected system clock does not reorder its spans. */
  const epochNow = () => clock.now().getTime() - performance.now()

  function endSpan(span: RecordedSpan): void {
    const { round } = span
    if (!span.context.isSampled) return
    if (round && span.failure !== undefined) keep(round)
    if (round === undefined || round.isKept) onSpan(span)
    else if (!round.isOver && round.waiting.length < ROUND_SPANS_MAX) round.waiting.push(span)
  }

  function endRound(span: RecordedSpan): void {
    const round = span.round!
    if (round.isKept || span.failure !== undefined) {
      keep(round)
      if (span.context.isSampled) onSpan(span)
    }
    round.isOver = true
    round.waiting.length = 0
  }

  function keep(round: Round): void {
    round.isKept = true
    for (const span of round.waiting.splice(0)) onSpan(span)
  }

  function operation(organizationId: number, operationId: number): TraceContext {
    const ids = operationIds(key, organizationId, operationId)
    return { ...ids, isSampled: isTraceSampled(sampler, ids.traceId) }
  }

  function step({ name, facts, isFirst }: TracedStep, work: () => void): void {
    const { organizationId, operationId } = facts
    const isOfOperation = typeof organizationId === 'number' && typeof operationId === 'number'
    const first = isOfOperation ? operation(organizationId, operationId) : undefined
    if (!first?.isSampled) {
      work()
      return
    }
    const cause = around.getStore()
    const span = new RecordedSpan({
      context: isFirst ? first : { ...first, spanId: randomSpanId() },
      parentSpanId: isFirst ? undefined : first.spanId,
      name,
      kind: 'internal',
      attributes: Object.fromEntries(Object.entries(facts).map(([fact, value]) => [attributeOf(fact), value])),
      links: cause?.context.isSampled ? [cause.context] : [],
      // The steps of one cause keep their order.
      epoch: cause?.epoch ?? epochNow(),
      round: undefined,
      onEnd: onSpan,
    })
    cause?.link(span.context)
    if (cause?.round) keep(cause.round)
    around.run(span, work)
    span.end()
  }

  return {
    begin,
    within: (span: OpenSpan, work) => around.run(span as RecordedSpan, work),
    current: () => around.getStore()?.context,
    noteChange() {
      const round = around.getStore()?.round
      if (round) keep(round)
    },
    fromCaller(traceparent) {
      const caller = parseTraceparent(traceparent)
      if (caller === undefined) return { parent: 'none' }
      if (callers === 'link') return { parent: 'none', links: [caller] }
      const isSampled = sampler.followsParent ? caller.isSampled : isTraceSampled(sampler, caller.traceId)
      return { parent: { ...caller, isSampled } }
    },
    operation,
    step,
  }
}

/** `operationId` becomes `weir.operation_id`. */
function attributeOf(fact: string): string {
  return `weir.${fact.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
}
