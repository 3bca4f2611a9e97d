import { optional, secret, setting } from './define-setting.ts'
import { oneOf, type SettingParser, urlOf, wholeNumber } from './setting-parsers.ts'

/** `name=value` pairs, separated by commas; a value may be percent-encoded (W3C Baggage, without properties). */
const pairs: SettingParser<Readonly<Record<string, string>>> = (text) => {
  const form = 'must be pairs such as name=value, separated by commas, with percent-encoded values'
  const list = text.split(',').filter((part) => part.trim() !== '')
  return Object.fromEntries(
    list.map((part) => {
      const [, name, value = ''] = /^\s*([^=\s]+)\s*=\s*([^,]*?)\s*$/.exec(part) ?? []
      if (name === undefined) throw new RangeError(form)
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        throw new RangeError(form)
      }
    }),
  )
}

/** Headers that `fetch` accepts, with names in lower case. */
const headers: SettingParser<Readonly<Record<string, string>>> = (text) => {
  try {
    return Object.fromEntries(new Headers(pairs(text)))
  } catch {
    throw new RangeError('must be headers such as authorization=Bearer%20TOKEN, separated by commas')
  }
}

const share: SettingParser<number> = (text) => {
  const value = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw new RangeError('must be a number from 0 to 1')
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Settings of OpenTelemetry, with the names and meanings of its specification. */
export const TRACING_SETTINGS = {
  otlpEndpoint: secret(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    urlOf('http:', 'https:'),
    'OpenTelemetry collector that gets traces over OTLP/HTTP, such as `http://collector:4318`: they go to `/v1/traces` below it. Live refuses plain http, unless PRIVATE_LINKS lists its host. Unset: nothing is traced',
  ),
  otlpTracesEndpoint: secret(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    urlOf('http:', 'https:'),
    'The exact URL for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT',
  ),
  otlpHeaders: secret(
    'OTEL_EXPORTER_OTLP_HEADERS',
    headers,
    'Headers for the collector, such as `authorization=Bearer%20TOKEN`: pairs separated by commas, with percent-encoded values',
  ),
  otlpTracesHeaders: secret(
    'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    headers,
    'The same for traces, instead of OTEL_EXPORTER_OTLP_HEADERS',
  ),
  otlpTimeout: setting(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    '10000',
    wholeNumber(1, 600_000),
    'Milliseconds until a request to the collector is given up',
  ),
  otlpProtocol: setting(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'http/json',
    oneOf('http/json'),
    'How traces are sent; a collector converts to any other protocol',
  ),
  otelServiceName: optional(
    'OTEL_SERVICE_NAME',
    (text) => text,
    'Name of the service in traces. Unset: `service.name` of OTEL_RESOURCE_ATTRIBUTES, or `weir`',
  ),
  otelResourceAttributes: optional(
    'OTEL_RESOURCE_ATTRIBUTES',
    pairs,
    'Attributes of every trace, such as `service.namespace=treasury,k8s.pod.name=weir-0`',
  ),
  otelTracesSampler: setting(
    'OTEL_TRACES_SAMPLER',
    'parentbased_always_on',
    oneOf(...SAMPLERS),
    'Which traces are exported: all, none, or the share OTEL_TRACES_SAMPLER_ARG. With `parentbased_` the caller decides where TRACE_CALLERS is `parent`',
  ),
  otelTracesSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    share,
    'Share of traces that a `traceidratio` sampler exports, from 0 to 1',
  ),
  otelTracesExporter: setting(
    'OTEL_TRACES_EXPORTER',
    'otlp',
    oneOf('otlp', 'none'),
    '`none` traces nothing, whatever the endpoint',
  ),
  otelDisabled: setting(
    'OTEL_SDK_DISABLED',
    'false',
    (text) => text.toLowerCase() === 'true',
    '`true` traces nothing, whatever the endpoint',
  ),
  traceCallers: setting(
    'TRACE_CALLERS',
    'link',
    oneOf('link', 'parent'),
    'What a caller’s `traceparent` does. `link`: the request begins a trace that names the caller’s. `parent`: it continues the caller’s trace and sampling; only behind a gateway that replaces strangers’ headers',
  ),
} as const

/** Where traces go and which ones. */
export interface TracingConfig {
  /** Where traces go, with its path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Attributes of every trace, `service.name` among them if it is set. */
  readonly resource: Readonly<Record<string, string>>
  /** The share of traces that is exported, and whether a caller's decision counts. */
  readonly sampler: { readonly ratio: number; readonly followsParent: boolean }
  readonly callers: 'link' | 'parent'
}

interface TracingValues {
  readonly otlpEndpoint: string | undefined
  readonly otlpTracesEndpoint: string | undefined
  readonly otlpHeaders: Readonly<Record<string, string>> | undefined
  readonly otlpTracesHeaders: Readonly<Record<string, string>> | undefined
  readonly otlpTimeout: number
  readonly otelServiceName: string | undefined
  readonly otelResourceAttributes: Readonly<Record<string, string>> | undefined
  readonly otelTracesSampler: (typeof SAMPLERS)[number]
  readonly otelTracesSamplerArg: number
  readonly otelTracesExporter: 'otlp' | 'none'
  readonly otelDisabled: boolean
  readonly traceCallers: 'link' | 'parent'
}

/** Undefined: nothing is traced. */
export function tracingConfig(values: TracingValues): TracingConfig | undefined {
  const url = tracesUrl(values)
  if (url === undefined || values.otelDisabled || values.otelTracesExporter === 'none') return undefined
  const { user, address } = withoutUser(url)
  const { otelServiceName: name, otelTracesSampler: sampler, otelTracesSamplerArg: ratio } = values
  return {
    url: address,
    headers: { ...user, ...(values.otlpTracesHeaders ?? values.otlpHeaders) },
    timeoutMs: values.otlpTimeout,
    resource: { ...values.otelResourceAttributes, ...(name !== undefined && { 'service.name': name }) },
    sampler: {
      ratio: sampler.endsWith('always_on') ? 1 : sampler.endsWith('always_off') ? 0 : ratio,
      followsParent: sampler.startsWith('parentbased_'),
    },
    callers: values.traceCallers,
  }
}

function tracesUrl({ otlpEndpoint, otlpTracesEndpoint }: TracingValues): string | undefined {
  if (otlpTracesEndpoint !== undefined) return otlpTracesEndpoint
  if (otlpEndpoint === undefined) return undefined
  const url = new URL(otlpEndpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`
  return url.href
}

/** `fetch` refuses a user in a URL; it becomes a header. */
function withoutUser(text: string): { readonly address: string; readonly user: Readonly<Record<string, string>> } {
  const url = new URL(text)
  if (url.username === '') return { address: url.href, user: {} }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  return { address: url.href, user: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } }
}
