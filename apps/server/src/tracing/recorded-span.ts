import {
  type OpenSpan,
  SPAN_LINKS_MAX,
  SPAN_TEXT_LENGTH_MAX,
  type SpanAttributes,
  type TraceContext,
} from '../kernel/index.ts'

/** A span as it is exported. Times are in milliseconds since 1970, with a fraction. */
export interface SpanRecord {
  readonly context: TraceContext
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client'
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: ReadonlyMap<string, string | number | boolean>
  readonly links: readonly TraceContext[]
  readonly droppedLinks: number
  /** Undefined: it did not fail. */
  readonly failure: string | undefined
}

interface SpanBeginning extends Pick<SpanRecord, 'context' | 'parentSpanId' | 'name' | 'kind'> {
  readonly attributes?: SpanAttributes | undefined
  readonly links?: readonly TraceContext[] | undefined
  /** The time that `performance.now()` counts from. */
  readonly epoch: number
  readonly round: Round | undefined
  readonly onEnd: (span: RecordedSpan) => void
}

/** A round of repeated work, whose spans wait until one of them changes something. */
export interface Round {
  isKept: boolean
  isOver: boolean
  readonly waiting: RecordedSpan[]
}

export class RecordedSpan implements SpanRecord, OpenSpan {
  readonly context: TraceContext
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: SpanRecord['kind']
  readonly epoch: number
  readonly round: Round | undefined
  readonly startedAt: number
  readonly attributes = new Map<string, string | number | boolean>()
  readonly links: TraceContext[] = []
  droppedLinks = 0
  endedAt = 0
  failure: string | undefined
  readonly #onEnd: (span: RecordedSpan) => void

  constructor({ context, parentSpanId, name, kind, attributes, links, epoch, round, onEnd }: SpanBeginning) {
    this.context = context
    this.parentSpanId = parentSpanId
    this.name = name
    this.kind = kind
    this.epoch = epoch
    this.round = round
    this.#onEnd = onEnd
    this.startedAt = epoch + performance.now()
    if (attributes) this.set(attributes)
    for (const each of links ?? []) this.link(each)
  }

  set(attributes: SpanAttributes): void {
    if (this.endedAt > 0 || !this.context.isSampled) return
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined || value === null) continue
      this.attributes.set(name, typeof value === 'string' ? value.slice(0, SPAN_TEXT_LENGTH_MAX) : value)
    }
  }

  link(context: TraceContext): void {
    if (this.endedAt > 0) return
    if (this.links.length < SPAN_LINKS_MAX) this.links.push(context)
    else this.droppedLinks += 1
  }

  fail(type: string): void {
    if (this.endedAt === 0) this.failure ??= type.slice(0, SPAN_TEXT_LENGTH_MAX)
  }

  end(): void {
    if (this.endedAt > 0) return
    this.endedAt = this.epoch + performance.now()
    this.#onEnd(this)
  }
}
