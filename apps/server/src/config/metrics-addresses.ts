import type { SettingValues } from './settings.ts'

/** Where `/metrics` is served. */
export interface MetricsAddresses {
  /** Whether `/metrics` is served where the API is: in sandbox unless METRICS_PORT is another, in live if it is PORT. */
  readonly isPublic: boolean
  /** Its own address; undefined: none. */
  readonly listener: { readonly host: string; readonly port: number } | undefined
}

/** The addresses of `/metrics` from their settings. */
export function metricsAddresses(
  { environment, port: servicePort }: Pick<SettingValues, 'environment' | 'port'>,
  port: number | undefined,
  host: string,
): MetricsAddresses {
  if (port === undefined) return { isPublic: environment === 'sandbox', listener: undefined }
  if (port !== 0 && port === servicePort) return { isPublic: true, listener: undefined }
  return { isPublic: false, listener: { host, port } }
}
