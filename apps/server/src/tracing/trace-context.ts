import { createHmac, randomBytes } from 'node:crypto'
import type { TraceContext } from '../kernel/index.ts'

export function randomTraceId(): string {
  return randomBytes(16).toString('hex')
}

export function randomSpanId(): string {
  return randomBytes(8).toString('hex')
}

/**
 * The ids of the first span of an operation's trace, from a secret that all processes share. Two installations that
 * export to one collector thus differ, and nobody outside can name the trace of an operation.
 */
export function operationIds(
  key: string,
  organizationId: number,
  operationId: number,
): Pick<TraceContext, 'traceId' | 'spanId'> {
  const digest = createHmac('sha256', key).update(`trace of operation ${organizationId}/${operationId}`).digest('hex')
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
}

/** The context in a `traceparent`; undefined if it is malformed, which counts as absent. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
