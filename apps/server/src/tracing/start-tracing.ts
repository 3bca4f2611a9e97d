import { hostname } from 'node:os'
import { type Clock, type Log, useTracer } from '../kernel/index.ts'
import { createTracer } from './create-tracer.ts'
import type { SamplerSettings } from './sampler.ts'
import { createSpanExporter } from './span-exporter.ts'

export interface TracingSettings {
  /** Where traces go, with its path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** From OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES; they win over `facts`. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerSettings
  readonly callers: 'link' | 'parent'
}

interface TracingParts {
  readonly clock: Clock
  readonly log: Log
  /** A secret that all processes of the installation share; the ids of operations' traces follow from it. */
  readonly key: string
  readonly facts: Readonly<Record<string, string>>
}

/** Traces this process from now on. The result stops tracing and sends what waits, within two seconds. */
export function startTracing(settings: TracingSettings, { clock, log, key, facts }: TracingParts): () => Promise<void> {
  const { url, headers, timeoutMs, sampler, callers } = settings
  const resource = {
    'telemetry.sdk.name': 'weir',
    'telemetry.sdk.language': 'nodejs',
    'service.name': 'weir',
    'service.instance.id': `${hostname()} ${process.pid}`,
    'process.pid': process.pid,
    ...facts,
    ...settings.resource,
  }
  const exporter = createSpanExporter({ url, headers, timeoutMs, resource, log })
  useTracer(createTracer({ clock, sampler, callers, key, onSpan: exporter.add }))
  return async () => {
    useTracer(undefined)
    await exporter.stop()
  }
}
