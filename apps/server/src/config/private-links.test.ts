import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'

const LIVE = {
  SERVICE_ENV: 'live',
  DATABASE_URL: 'postgres://weir:hidden@db.example/weir?sslmode=verify-full',
  POLYGON_RPC_URL: 'https://a.example',
  JWT_SECRET: 'x'.repeat(32),
  API_KEY_PEPPER: 'x'.repeat(32),
  ENCRYPTION_KEY: 'ab'.repeat(32),
}

function problemsOf(settings: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...LIVE, ...settings })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test.each([
  ['POLYGON_RPC_URL', 'https://a.example, http://b.example/key', 'b.example', 'https'],
  ['SOLANA_RPC_URL', 'http://10.0.0.7:8899', '10.0.0.7', 'https'],
  ['REDIS_URL', 'redis://:hidden@cache.example', 'cache.example', 'rediss'],
  ['PUBLIC_URL', 'http://weir.example', 'weir.example', 'https'],
  ['ACCOUNT_URL', 'http://account.example', 'account.example', 'https'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://hidden:hidden@collector.example:4318', 'collector.example', 'https'],
  ['DATABASE_URL', 'postgres://weir:hidden@db.example/weir', 'db.example', '?sslmode=verify-full'],
])('live refuses %s without TLS and names the host, not the secret: %s', (name, url, host, secure) => {
  expect(problemsOf({ [name]: url })).toEqual([
    `${name} must use TLS (${secure}) to reach ${host} when SERVICE_ENV is live, or PRIVATE_LINKS must list ${host}`,
  ])
  expect(problemsOf({ [name]: url, PRIVATE_LINKS: host })).toEqual([])
  expect(problemsOf({ [name]: url, PRIVATE_LINKS: `other.example, ${host}` })).toEqual([])
  expect(problemsOf({ [name]: url, PRIVATE_LINKS: 'other.example, 192.0.2.0/24' })).toHaveLength(1)
  expect(() => readConfig({ [name]: url, PUBLIC_URL: 'http://weir.example' })).not.toThrow()
})

test('live reaches KMS over TLS only, if KMS is used', () => {
  const AWS_ENDPOINT_URL_KMS = 'http://kms.example'
  const kms = { AWS_ENDPOINT_URL_KMS, ENCRYPTION_KMS_KEY_ID: 'alias/weir' }
  expect(problemsOf(kms)).toEqual([
    'AWS_ENDPOINT_URL_KMS must use TLS (https) to reach kms.example when SERVICE_ENV is live, or PRIVATE_LINKS must list kms.example',
  ])
  expect(problemsOf({ ...kms, PRIVATE_LINKS: 'kms.example' })).toEqual([])
  expect(problemsOf({ ...kms, AWS_ENDPOINT_URL_KMS: 'https://kms.example' })).toEqual([])
  expect(problemsOf({ AWS_ENDPOINT_URL_KMS })).toEqual([])
})

test.each([
  'postgres://weir@db.example/weir?sslmode=require',
  'postgres://weir@db.example/weir?sslmode=verify-ca',
  'postgres://weir@db.example/weir?ssl=true',
  'postgres://weir@127.0.0.1/weir',
  'postgres://weir@[::1]/weir',
  'postgres://weir@localhost/weir',
  'postgres://weir@%2Fvar%2Frun%2Fpostgresql/weir',
  'postgres://weir@db.example/weir?host=/var/run/postgresql',
  'postgres://weir@db.example/weir?sslmode=disable&sslmode=verify-full',
  'postgres://weir@db.example/weir?sslmode=verify-full&uselibpqcompat=true',
])('live takes DATABASE_URL %s', (DATABASE_URL) => {
  expect(problemsOf({ DATABASE_URL })).toEqual([])
})

test.each([
  'postgres://weir@db.example/weir?sslmode=disable',
  'postgres://weir@db.example/weir?sslmode=prefer',
  'postgres://weir@db.example/weir?sslmode=no-verify',
  'postgres://weir@db.example/weir?ssl=false',
  'postgres://weir@db.example/weir?sslmode=require&uselibpqcompat=true',
  'postgres://weir@db.example/weir?sslmode=verify-ca&sslrootcert=/ca.pem&uselibpqcompat=true',
  'postgres://weir@db.example/weir?sslmode=verify-full&sslmode=disable',
  'postgres://weir@localhost/weir?host=db.example',
  'postgres://weir@localhost.example/weir',
  'postgres://weir@127.0.0.1.example/weir',
])('live refuses DATABASE_URL %s', (DATABASE_URL) => {
  expect(problemsOf({ DATABASE_URL })).toHaveLength(1)
})

test('a private network covers its addresses, also those mapped into IPv6', () => {
  const PRIVATE_LINKS = '10.0.0.0/8, fd00::/8'
  for (const host of ['10.1.2.3', '[::ffff:10.1.2.3]', '[fd00::7]']) {
    expect(problemsOf({ PRIVATE_LINKS, POLYGON_RPC_URL: `http://${host}:8545` }), host).toEqual([])
  }
  for (const host of ['11.0.0.1', '[fe80::7]', 'ten.example']) {
    expect(problemsOf({ PRIVATE_LINKS, POLYGON_RPC_URL: `http://${host}:8545` }), host).toHaveLength(1)
  }
})

test('a certificate needs its key, and both must be files that can be read', () => {
  const file = import.meta.filename
  expect(problemsOf({ TLS_CERT_FILE: file })).toEqual(['TLS_KEY_FILE must be set too: a certificate needs its key'])
  expect(problemsOf({ TLS_KEY_FILE: file })).toEqual(['TLS_CERT_FILE must be set too: a certificate needs its key'])
  expect(problemsOf({ TLS_CERT_FILE: file, TLS_KEY_FILE: `${file}.missing` })[0]).toContain(
    'TLS_KEY_FILE must be a file',
  )
  expect(readConfig({ TLS_CERT_FILE: file, TLS_KEY_FILE: file }).tls).toEqual({ certFile: file, keyFile: file })
})

test('metrics are on the service’s port in sandbox and on none in live, unless METRICS_PORT says otherwise', () => {
  const metrics = (settings: Record<string, string>) => readConfig(settings).metrics
  expect(metrics({})).toEqual({ isPublic: true, listener: undefined })
  expect(metrics(LIVE)).toEqual({ isPublic: false, listener: undefined })
  expect(metrics({ ...LIVE, METRICS_PORT: '3000' })).toEqual({ isPublic: true, listener: undefined })
  const own = { isPublic: false, listener: { host: '127.0.0.1', port: 9_100 } }
  expect(metrics({ METRICS_PORT: '9100' })).toEqual(own)
  expect(metrics({ ...LIVE, METRICS_PORT: '9100', METRICS_HOST: '10.0.0.1' })).toEqual({
    ...own,
    listener: { host: '10.0.0.1', port: 9_100 },
  })
  expect(metrics({ PORT: '0', METRICS_PORT: '0' }).listener).toEqual({ host: '127.0.0.1', port: 0 })
})
