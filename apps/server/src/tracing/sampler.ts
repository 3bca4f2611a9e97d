/** Which traces are exported, as OTEL_TRACES_SAMPLER names it. */
export interface SamplerSettings {
  /** From 0, none, to 1, all. */
  readonly ratio: number
  /** Whether a caller's decision counts where its trace is continued. */
  readonly followsParent: boolean
}

/** The last 14 digits of a trace id are random (W3C Trace Context). */
const RANDOM_DIGITS = 14

/** The same for a trace in every process, so that a trace is exported as a whole or not at all. */
export function isTraceSampled({ ratio }: SamplerSettings, traceId: string): boolean {
  if (ratio >= 1) return true
  if (ratio <= 0) return false
  return Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) < ratio * 16 ** RANDOM_DIGITS
}
