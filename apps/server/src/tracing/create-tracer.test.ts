import { describe, expect, test } from 'vitest'
import { ManualClock, SPAN_LINKS_MAX, type Tracer } from '../kernel/index.ts'
import { createTracer, type TracerParts } from './create-tracer.ts'
import type { SpanRecord } from './recorded-span.ts'

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

function tracer(parts: Partial<TracerParts> = {}): { readonly spans: SpanRecord[]; readonly tracer: Tracer } {
  const spans: SpanRecord[] = []
  const all = { clock: new ManualClock(), sampler: { ratio: 1, followsParent: true }, callers: 'link' as const }
  return { spans, tracer: createTracer({ ...all, key: 'a key', onSpan: (span) => spans.push(span), ...parts }) }
}

/** A span with `work` in it. */
function around(of: Tracer, name: string, work: () => void, more: object = {}): void {
  const span = of.begin({ name, ...more })
  of.within(span, work)
  span.end()
}

const step = (operationId: number, name: string, isFirst = false) => ({
  name,
  isFirst,
  facts: { organizationId: 7, operationId },
})

describe('spans', () => {
  test('are in the span around them, and what begins a trace has no parent', () => {
    const { spans, tracer: of } = tracer()
    around(of, 'request', () => around(of, 'transaction', () => around(of, 'job', () => {}, { parent: 'none' })))
    const [job, transaction, request] = spans as [SpanRecord, SpanRecord, SpanRecord]
    expect(transaction).toMatchObject({ parentSpanId: request.context.spanId })
    expect(transaction.context.traceId).toBe(request.context.traceId)
    expect([request.parentSpanId, job.parentSpanId]).toEqual([undefined, undefined])
    expect(job.context.traceId).not.toBe(request.context.traceId)
    expect(transaction.startedAt).toBeGreaterThanOrEqual(request.startedAt)
    expect(transaction.endedAt).toBeLessThanOrEqual(request.endedAt)
  })

  test('end once, and keep the first failure', () => {
    const { spans, tracer: of } = tracer()
    const span = of.begin({ name: 'request' })
    span.fail('timeout')
    span.fail('LATER')
    span.end()
    span.end()
    expect(spans).toHaveLength(1)
    expect(spans[0]!.failure).toBe('timeout')
  })
})

describe('a caller', () => {
  test('is linked by default: a stranger neither adds to a trace nor has one exported', () => {
    const { spans, tracer: of } = tracer({ sampler: { ratio: 0, followsParent: true } })
    of.begin({ name: 'request', ...of.fromCaller(CALLER) }).end()
    expect(spans).toEqual([])
    const { spans: others, tracer: all } = tracer()
    all.begin({ name: 'request', ...all.fromCaller(CALLER.replace(/01$/, '00')) }).end()
    expect(others[0]).toMatchObject({
      parentSpanId: undefined,
      links: [{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }],
    })
    expect(others[0]!.context.traceId).not.toBe('0af7651916cd43dd8448eb211c80319c')
  })

  test('is continued where callers are trusted, with its decision if the sampler follows parents', () => {
    const { spans, tracer: of } = tracer({ callers: 'parent', sampler: { ratio: 0, followsParent: true } })
    of.begin({ name: 'request', ...of.fromCaller(CALLER) }).end()
    of.begin({ name: 'request', ...of.fromCaller(CALLER.replace(/01$/, '00')) }).end()
    expect(spans).toHaveLength(1)
    expect(spans[0]).toMatchObject({
      context: { traceId: '0af7651916cd43dd8448eb211c80319c' },
      parentSpanId: 'b7ad6b7169203331',
    })
    const { spans: none, tracer: own } = tracer({ callers: 'parent', sampler: { ratio: 0, followsParent: false } })
    own.begin({ name: 'request', ...own.fromCaller(CALLER) }).end()
    expect(none).toEqual([])
  })

  test.each([
    undefined,
    '',
    'nonsense',
    CALLER.toUpperCase(),
    `${CALLER}-more`,
    CALLER.replace(/^00/, 'ff'),
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
  ])('without a valid traceparent, such as %s, has none', (header) => {
    const { tracer: of } = tracer({ callers: 'parent' })
    expect(of.fromCaller(header)).toEqual({ parent: 'none' })
  })
})

describe('an operation', () => {
  test('has one trace in every process of an installation, and another one in another installation', () => {
    const [one, other, foreign] = [tracer(), tracer(), tracer({ key: 'another key' })].map(({ tracer: of }) =>
      of.operation(7, 12),
    )
    expect(other).toEqual(one)
    expect(foreign!.traceId).not.toBe(one!.traceId)
    expect(one).toMatchObject({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    const ids = [tracer().tracer.operation(7, 1), tracer().tracer.operation(71, 2), tracer().tracer.operation(7, 12)]
    expect(new Set(ids.map(({ traceId }) => traceId)).size).toBe(3)
  })

  test('has its steps in its trace, linked in both directions with what caused them', () => {
    const { spans, tracer: of } = tracer()
    let logged: string | undefined
    around(of, 'POST /v1/operations/supply', () => {
      of.step(step(12, 'operation planned', true), () => {
        logged = of.current()?.traceId
      })
    })
    around(of, 'job follow base', () => of.step(step(12, 'operation settled'), () => {}))
    const [planned, request, settled, job] = spans as [SpanRecord, SpanRecord, SpanRecord, SpanRecord]
    const first = of.operation(7, 12)
    expect(planned).toMatchObject({ name: 'operation planned', context: first, parentSpanId: undefined })
    expect(planned.links).toEqual([request.context])
    expect(request.links).toEqual([planned.context])
    expect(settled).toMatchObject({ context: { traceId: first.traceId }, parentSpanId: first.spanId })
    expect([settled.links, job.links]).toEqual([[job.context], [settled.context]])
    expect(settled.attributes).toEqual(new Map(Object.entries({ 'weir.organization_id': 7, 'weir.operation_id': 12 })))
    expect(logged).toBe(first.traceId)
  })

  test('is exported as a whole or not at all', () => {
    const sampler = { ratio: 0.5, followsParent: true }
    const traces = Array.from({ length: 2_000 }, (_, id) => tracer({ sampler }).tracer.operation(7, id))
    const sampled = traces.filter(({ isSampled }) => isSampled).length
    expect(sampled).toBeGreaterThan(850)
    expect(sampled).toBeLessThan(1_150)
    const { spans, tracer: of } = tracer({ sampler })
    for (let id = 0; id < 100; id += 1) for (const name of ['one', 'two', 'three']) of.step(step(id, name), () => {})
    expect(spans).toHaveLength(3 * traces.slice(0, 100).filter(({ isSampled }) => isSampled).length)
  })

  test('settles with many others in one span that names the first of them', () => {
    const { spans, tracer: of } = tracer()
    around(of, 'job', () => {
      for (let id = 0; id < 200; id += 1) of.step(step(id, 'operation settled'), () => {})
    })
    expect(spans.at(-1)).toMatchObject({ droppedLinks: 200 - SPAN_LINKS_MAX })
  })

  test('is not needed for a step', () => {
    const { spans, tracer: of } = tracer()
    let ran = 0
    of.step({ name: 'buffer restored', isFirst: false, facts: { organizationId: 7 } }, () => {
      ran += 1
    })
    expect([spans.length, ran]).toEqual([0, 1])
  })
})

describe('a round of repeated work', () => {
  const round = (of: Tracer, work: () => void) => around(of, 'job', work, { parent: 'none', isRound: true })
  const names = (spans: readonly SpanRecord[]) => spans.map(({ name }) => name)

  test('is exported only if it changed something', () => {
    const { spans, tracer: of } = tracer()
    round(of, () => around(of, 'eth_blockNumber', () => {}))
    expect(spans).toEqual([])
    round(of, () => {
      around(of, 'eth_blockNumber', () => {})
      around(of, 'transaction', () => of.noteChange())
      around(of, 'eth_getLogs', () => {})
    })
    expect(names(spans)).toEqual(['eth_blockNumber', 'transaction', 'eth_getLogs', 'job'])
  })

  test('is exported if something in it failed, or the round itself', () => {
    const { spans, tracer: of } = tracer()
    round(of, () => {
      const call = of.begin({ name: 'eth_blockNumber' })
      call.fail('timeout')
      call.end()
    })
    const failed = of.begin({ name: 'job', parent: 'none', isRound: true })
    of.within(failed, () => around(of, 'eth_getLogs', () => {}))
    failed.fail('CHAIN_UNAVAILABLE')
    failed.end()
    expect(names(spans)).toEqual(['eth_blockNumber', 'job', 'eth_getLogs', 'job'])
  })

  test('keeps a bounded number of spans while it waits, and none afterwards', () => {
    const { spans, tracer: of } = tracer()
    const span = of.begin({ name: 'job', parent: 'none', isRound: true })
    of.within(span, () => {
      for (let call = 0; call < 1_000; call += 1) around(of, 'call', () => {})
      around(of, 'transaction', () => of.noteChange())
    })
    span.end()
    expect(spans).toHaveLength(256 + 2)
    const idle = of.begin({ name: 'job', parent: 'none', isRound: true })
    idle.end()
    of.within(idle, () => around(of, 'late', () => {}))
    expect(spans).toHaveLength(256 + 2)
  })
})
