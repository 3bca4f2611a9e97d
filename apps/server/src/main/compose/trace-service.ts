import type { Config } from '../../config.ts'
import type { Clock, Log } from '../../kernel/index.ts'
import { startTracing } from '../../tracing/index.ts'

interface TraceServiceParts {
  readonly clock: Clock
  readonly log: Log
  readonly version: string
  /** A secret that all processes of the installation share. */
  readonly key: string
}

/** Traces this process if a collector is set. The result stops that. */
export function traceService(
  { tracing, environment, role }: Pick<Config, 'tracing' | 'environment' | 'role'>,
  { version, ...parts }: TraceServiceParts,
): () => Promise<void> {
  if (tracing === undefined) return async () => undefined
  const facts = { 'service.version': version, 'deployment.environment.name': environment, 'weir.role': role }
  return startTracing(tracing, { ...parts, facts })
}
