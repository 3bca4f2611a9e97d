import { Counter, type Registry } from 'prom-client'
import type { SecurityEventRecorder } from '../../../identity/index.ts'

/** Counts events by type, including those that are merged when they are stored. */
export function countSecurityEvents(recorder: SecurityEventRecorder, registry: Registry): SecurityEventRecorder {
  const counter = new Counter({
    name: 'weir_security_events_total',
    help: 'Refused requests that were recorded as security events, by type.',
    labelNames: ['type'] as const,
    registers: [registry],
  })
  return {
    record(facts, group) {
      counter.inc({ type: facts.type })
      recorder.record(facts, group)
    },
    flush: () => recorder.flush(),
  }
}
