export { createTracer } from './create-tracer.ts'
export type { SpanRecord } from './recorded-span.ts'
export { startTracing, type TracingSettings } from './start-tracing.ts'
