import { expect, test } from 'vitest'
import { type ConfigError, readConfig } from '../config.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' }
const read = (env: Record<string, string>) => readConfig(env).tracing
const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

test('nothing is traced without an endpoint, and with one unless it is switched off', () => {
  expect(read({})).toBeUndefined()
  expect(read({ OTEL_SERVICE_NAME: 'treasury', OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined()
  expect(read({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined()
  expect(read({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  expect(read({ ...endpoint, OTEL_SDK_DISABLED: '' })).toEqual({
    url: 'http://collector.example:4318/v1/traces',
    headers: {},
    timeoutMs: 10_000,
    resource: {},
    sampler: { ratio: 1, followsParent: true },
    callers: 'link',
  })
})

test('traces go below the endpoint, or to the exact URL for traces', () => {
  const urlOf = (env: Record<string, string>) => read(env)?.url
  expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://a.example/otlp/' })).toBe('https://a.example/otlp/v1/traces')
  expect(urlOf({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b.example/in?x=1' })).toBe(
    'https://b.example/in?x=1',
  )
})

test('headers and resource attributes are pairs with percent-encoded values', () => {
  const config = read({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a%2Cb , x-tenant=7',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,k8s.pod.name=weir-0',
    OTEL_SERVICE_NAME: 'treasury',
  })
  expect(config?.headers).toEqual({ authorization: 'Bearer a,b', 'x-tenant': '7' })
  expect(config?.resource).toEqual({ 'service.name': 'treasury', 'k8s.pod.name': 'weir-0' })
  expect(
    read({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=1', OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2' })?.headers,
  ).toEqual({ b: '2' })
})

test('a user in the URL becomes a header, which an explicit one replaces', () => {
  const withUser = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:p%40ss@collector.example' }
  const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  expect(read(withUser)).toMatchObject({
    url: 'https://collector.example/v1/traces',
    headers: { authorization: basic },
  })
  const explicit = { ...withUser, OTEL_EXPORTER_OTLP_HEADERS: 'AUTHORIZATION=Bearer%20t' }
  expect(read(explicit)?.headers).toEqual({ authorization: 'Bearer t' })
})

test.each([
  ['always_on', { ratio: 1, followsParent: false }],
  ['always_off', { ratio: 0, followsParent: false }],
  ['traceidratio', { ratio: 0.25, followsParent: false }],
  ['parentbased_always_on', { ratio: 1, followsParent: true }],
  ['parentbased_always_off', { ratio: 0, followsParent: true }],
  ['parentbased_traceidratio', { ratio: 0.25, followsParent: true }],
])('the sampler %s has its standard meaning', (name, sampler) => {
  const config = read({ ...endpoint, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: '0.25' })
  expect(config?.sampler).toEqual(sampler)
})

test('wrong values are refused, and a refusal repeats no header', () => {
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hidden'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=hidden%0Ax: 1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=hidden%'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['TRACE_CALLERS', 'all'],
  ] as const) {
    const problems = problemsOf({ ...endpoint, [name]: value })
    expect(problems, value).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} must be `))
    expect(problems[0]).not.toContain('hidden')
  }
})
