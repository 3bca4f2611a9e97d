import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { settingsDocument } from '../../../scripts/documents/write-settings-doc.ts'
import { ConfigError, loadSecrets, readConfig, SETTINGS } from './config.ts'

const long = 'x'.repeat(32)
const key = 'aB'.repeat(32)
const live = {
  SERVICE_ENV: 'live',
  DATABASE_URL: 'postgres://weir:hidden@db.example/weir?sslmode=verify-full',
  POLYGON_RPC_URL: 'https://a.example/key, https://b.example',
  JWT_SECRET: long,
  API_KEY_PEPPER: long,
  ENCRYPTION_KEY: key,
}

test('without any setting it is a sandbox on this machine', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    environment: 'sandbox',
    role: 'all',
    dataDir: join(process.cwd(), '.data'),
    databaseUrl: undefined,
    publicUrl: undefined,
    preview: false,
    logLevel: 'info',
    logFormat: 'auto',
    rateLimitMultiplier: 1,
    chains: { ethereum: { rpcUrls: undefined, confirmations: undefined } },
    secrets: { jwt: undefined },
  })
  expect(readConfig({ PORT: '', PUBLIC_URL: '' })).toEqual(readConfig({}))
})

test('trusted proxies are addresses and networks, never everything', () => {
  const read = (text: string) => readConfig({ TRUSTED_PROXIES: text }).trustedProxies
  expect(read('')).toBeUndefined()
  expect(read('10.0.0.5, 172.16.0.0/12,fd00::/8, ::1')).toEqual(['10.0.0.5/32', '172.16.0.0/12', 'fd00::/8', '::1/128'])
  for (const text of ['0.0.0.0/0', '::/0', 'proxy.internal', '10.0.0', 'true', '10.0.0.1/33', ','])
    expect(() => read(text), text).toThrow(ConfigError)
})

test('registration is open in sandbox and closed in live, unless the operator decides', () => {
  expect(readConfig({}).registration).toBe('open')
  expect(readConfig(live).registration).toBe('closed')
  expect(readConfig({ ...live, REGISTRATION: 'invite' }).registration).toBe('invite')
  expect(() => readConfig({ REGISTRATION: 'maybe' })).toThrow(ConfigError)
})

test('a password that another member sets is lasting in sandbox and one-time in live, unless the operator decides', () => {
  expect(readConfig({}).assignedPasswords).toBe('lasting')
  expect(readConfig(live).assignedPasswords).toBe('one-time')
  expect(readConfig({ ...live, ASSIGNED_PASSWORDS: 'lasting' }).assignedPasswords).toBe('lasting')
  expect(() => readConfig({ ASSIGNED_PASSWORDS: 'never' })).toThrow(ConfigError)
})

test('sessions last thirty days without use and ninety in all, unless the operator decides', () => {
  const day = 86_400_000
  expect(readConfig({}).sessions).toEqual({ idleMs: 30 * day, maxMs: 90 * day })
  expect(readConfig({ SESSION_IDLE_DAYS: '1', SESSION_MAX_DAYS: '7' }).sessions).toEqual({
    idleMs: day,
    maxMs: 7 * day,
  })
  expect(() => readConfig({ SESSION_MAX_DAYS: '0' })).toThrow(ConfigError)
})

test('values come out in their own types', () => {
  const config = readConfig({
    ...live,
    PORT: '0',
    HOST: '::',
    PREVIEW: '1',
    PUBLIC_URL: 'https://weir.example/base/',
    RATE_LIMIT_MULTIPLIER: '0.5',
    POLYGON_CONFIRMATIONS: '64',
    ROLE: 'worker',
  })
  expect(config).toMatchObject({
    port: 0,
    host: '::',
    preview: true,
    publicUrl: 'https://weir.example/base',
    rateLimitMultiplier: 0.5,
    role: 'worker',
    secrets: { jwt: long, pepper: long, encryption: key.toLowerCase() },
  })
  expect(config.chains.polygon).toEqual({
    rpcUrls: ['https://a.example/key', 'https://b.example'],
    confirmations: 64,
  })
  expect(config.chains.base).toEqual({ rpcUrls: undefined, confirmations: undefined })
})

test('every wrong setting is named, in one line each, all at once', () => {
  const wrong = {
    PORT: '70000',
    HOST: 'a b',
    SERVICE_ENV: 'production',
    DATABASE_URL: 'mysql://root:hunter2@x/y',
    PUBLIC_URL: 'https://weir.example/?a',
    PREVIEW: 'yes',
    LOG_LEVEL: 'loud',
    RATE_LIMIT_MULTIPLIER: '-1',
    REDIS_URL: 'nowhere',
    ETHEREUM_RPC_URL: 'https://a.example,,',
    BASE_RPC_URL: 'ws://a.example',
    BASE_CONFIRMATIONS: '0',
    ROLE: 'none',
    JWT_SECRET: 'short',
    ENCRYPTION_KEY: long,
  }
  const problems = problemsOf(wrong)
  expect(problems.map((problem) => problem.split(' ')[0]).toSorted()).toEqual(Object.keys(wrong).toSorted())
  expect(problems.every((problem) => !problem.includes('\n'))).toBe(true)
  expect(problems).toContain('PORT must be a whole number from 0 to 65535, not "70000"')
  expect(problems).toContain('SERVICE_ENV must be one of sandbox, live, not "production"')
})

test('no message repeats what may be a secret', () => {
  const text = problemsOf({ DATABASE_URL: 'mysql://root:hunter2@x', JWT_SECRET: 'hunter2' }).join()
  expect(text).not.toContain('hunter2')
})

test('live does not start without database, secrets and an endpoint of a chain', () => {
  expect(readConfig(live).environment).toBe('live')
  expect(problemsOf({ SERVICE_ENV: 'live' })).toEqual([
    'DATABASE_URL must be set when SERVICE_ENV is live',
    'ETHEREUM_RPC_URL must be set when SERVICE_ENV is live, or POLYGON_RPC_URL, BASE_RPC_URL or SOLANA_RPC_URL',
    'JWT_SECRET must be set when SERVICE_ENV is live',
    'API_KEY_PEPPER must be set when SERVICE_ENV is live',
    'ENCRYPTION_KEY must be set when SERVICE_ENV is live',
  ])
})

test('live does not start where Node verifies no certificate, and the sandbox does', () => {
  const unverified = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const live = {
    SERVICE_ENV: 'live',
    DATABASE_URL: 'postgres://weir@localhost/weir',
    POLYGON_RPC_URL: 'https://a.example',
    JWT_SECRET: 'x'.repeat(32),
    API_KEY_PEPPER: 'x'.repeat(32),
    ENCRYPTION_KEY: 'ab'.repeat(32),
  }
  expect(() => readConfig({ ...live, ...unverified })).toThrow(
    /^NODE_TLS_REJECT_UNAUTHORIZED must not be 0 when SERVICE_ENV is live: no certificate would be verified/,
  )
  expect(() => readConfig({ ...live, NODE_TLS_REJECT_UNAUTHORIZED: '1' })).not.toThrow()
  expect(() => readConfig(unverified)).not.toThrow()
})

test('a part of the service does not start on an embedded database or chain that it cannot share', () => {
  expect(problemsOf({ ROLE: 'api' })).toEqual([
    'DATABASE_URL must be set when ROLE is not all: the embedded database serves one process',
    'ROLE must be all while a chain is embedded: the embedded chains serve one process, unless CHAINS_FILE shares them',
  ])
  const url = 'http://127.0.0.1:8545'
  const remote = { ETHEREUM_RPC_URL: url, POLYGON_RPC_URL: url, BASE_RPC_URL: url, SOLANA_RPC_URL: url }
  expect(readConfig({ ROLE: 'api', DATABASE_URL: 'postgres://localhost/weir', ...remote }).role).toBe('api')
})

test('secrets that are unset are made once, kept, and readable by nobody else; those that are set win', () => {
  const dataDir = temporaryFolder()
  const config = (env = {}) => readConfig({ ...env, DATA_DIR: join(dataDir, 'new') })
  const first = loadSecrets(config())
  expect(new Set(Object.values(first)).size).toBe(3)
  expect(first.encryption).toMatch(/^[0-9a-f]{64}$/)
  expect(loadSecrets(config())).toEqual(first)
  expect(statSync(join(dataDir, 'new', 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(loadSecrets(config({ API_KEY_PEPPER: long }))).toEqual({ ...first, pepper: long })
})

test('secrets that are all set are written nowhere', () => {
  const dataDir = temporaryFolder()
  loadSecrets(readConfig({ ...live, DATA_DIR: dataDir }))
  expect(() => statSync(join(dataDir, 'secrets.json'))).toThrow('ENOENT')
})

test('a damaged secrets file is reported, not replaced', () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'secrets.json'), '{"jwt": "')
  expect(() => loadSecrets(readConfig({ DATA_DIR: dataDir }))).toThrow(/^DATA_DIR holds a damaged .*secrets\.json/)
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe('{"jwt": "')
})

test('docs/settings.md lists the settings as they are', () => {
  const written = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')
  expect(written, 'run: node scripts/documents/write-settings-doc.ts').toBe(settingsDocument())
  for (const { name } of Object.values(SETTINGS)) expect(written).toContain(`\`${name}\``)
})

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
  }
  throw new Error('readConfig found nothing wrong')
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
