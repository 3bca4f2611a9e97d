import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allowListJson, liveAllowList, sandboxAllowList } from '@weir/verify'
import { afterAll, expect, test } from 'vitest'
import { agentSettingsDocument } from '../../../scripts/documents/write-agent-settings-doc.ts'
import { ConfigError, readAllowList, readConfig } from './config.ts'

const dir = mkdtempSync(join(tmpdir(), 'weir-agent-config-'))
afterAll(() => rmSync(dir, { recursive: true }))
const file = (name: string, text: string) => {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}
const GOOD = { WEIR_API_KEY: 'svc_sandbox_key', KEYSTORE_PASSPHRASE: 'open sesame' }
const problems = (env: Readonly<Record<string, string>>) => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('in sandbox a key and a passphrase are enough', () => {
  const config = readConfig({ ...GOOD, LOG_LEVEL: '' })
  expect(config).toMatchObject({
    url: 'http://127.0.0.1:3000',
    environment: 'sandbox',
    leaseMs: 60_000,
    logLevel: 'info',
    logFormat: 'auto',
  })
  expect(config.allowList).toBe(sandboxAllowList)
  expect(config.rpcUrls.get('solana')).toEqual(['http://127.0.0.1:3000/sandbox/rpc/solana'])
  expect(config.signer).toMatchObject({ kind: 'keystore', dir: join(process.cwd(), '.agent/keys') })
})

test('keys that open fast need a passphrase that nobody guesses', () => {
  const light = { ...GOOD, KEYSTORE_KDF: 'light' }
  expect(problems({ ...light, KEYSTORE_PASSPHRASE: 'x'.repeat(31) })).toEqual([
    'KEYSTORE_KDF light protects only a passphrase that nobody can guess: use 32 characters or more, such as from openssl rand -hex 32',
  ])
  expect(readConfig({ ...light, KEYSTORE_PASSPHRASE: 'x'.repeat(32) }).signer).toMatchObject({ derivation: 'light' })
  expect(readConfig(GOOD).signer).toMatchObject({ derivation: 'standard' })
})

test('in live only chains with an endpoint are served, with the list of public contracts', () => {
  const live = { ...GOOD, AGENT_ENV: 'live', WEIR_URL: 'https://weir.example/' }
  const config = readConfig({ ...live, BASE_RPC_URL: 'https://one.example, https://two.example/v1/' })
  expect(config.allowList).toBe(liveAllowList)
  expect([...config.rpcUrls]).toEqual([['base', ['https://one.example', 'https://two.example/v1']]])
  expect(config.url).toBe('https://weir.example')
  expect(problems(live)).toEqual(['ETHEREUM_RPC_URL or another RPC endpoint must be set when AGENT_ENV is live'])
})

test('each wrong setting has its line, all at once, and no line repeats a secret', () => {
  const wrong = {
    WEIR_URL: 'ftp://weir',
    AGENT_ENV: 'test',
    LEASE_MS: '5',
    SIGNER: 'http',
    SIGNER_SECRET: 'too short to be printed',
    ALLOW_LIST: '/nowhere/list.json',
    POLYGON_RPC_URL: 'wss://weir:hidden@node.example',
    AGENT_PORT: 'x',
  }
  expect(problems(wrong)).toEqual([
    'WEIR_URL must be a URL that begins with http:// or https://, not "ftp://weir"',
    'AGENT_ENV must be one of sandbox, live, not "test"',
    'ALLOW_LIST must be a file that exists, not "/nowhere/list.json"',
    'SIGNER_SECRET must have at least 32 characters',
    'POLYGON_RPC_URL must be a URL that begins with http:// or https://',
    'LEASE_MS must be a whole number from 1000 to 600000, not "5"',
    'AGENT_PORT must be a whole number from 0 to 65535, not "x"',
    'WEIR_API_KEY or WEIR_API_KEY_FILE must be set',
    'SIGNER_URL must be set when SIGNER is http',
  ])
})

test('each signer requires its own settings', () => {
  const key = { WEIR_API_KEY: 'k' }
  expect(problems(key)).toEqual(['KEYSTORE_PASSPHRASE or KEYSTORE_PASSPHRASE_FILE must be set when SIGNER is keystore'])
  expect(problems({ ...key, SIGNER: 'kms' })).toEqual(['KMS_REGION must be set when SIGNER is kms'])
  const secret = file('secret', `${'s'.repeat(40)}\n`)
  const http = { ...key, SIGNER: 'http', SIGNER_URL: 'https://signer.example/v1', SIGNER_SECRET_FILE: secret }
  expect(readConfig(http).signer).toEqual({ kind: 'http', url: 'https://signer.example/v1', secret: 's'.repeat(40) })
})

test('secrets can be read from files', () => {
  const env = { WEIR_API_KEY_FILE: file('key', 'svc_key\n'), KEYSTORE_PASSPHRASE_FILE: file('pass', 'open sesame') }
  expect(readConfig(env)).toMatchObject({ apiKey: 'svc_key', signer: { passphrase: 'open sesame' } })
  expect(problems({ ...env, WEIR_API_KEY_FILE: file('empty', '\n') })[0]).toMatch(
    /^WEIR_API_KEY_FILE must be a file that is not empty/,
  )
})

test('a custom list replaces the built-in one, and an invalid one is reported', () => {
  const own = file('list.json', JSON.stringify(allowListJson(liveAllowList)))
  expect(readConfig({ ...GOOD, ALLOW_LIST: own }).allowList).toEqual(liveAllowList)
  expect(readAllowList({ ALLOW_LIST: own })).toEqual(liveAllowList)
  const wrong = file('wrong.json', '{"version": 1, "chains": {}}')
  expect(problems({ ...GOOD, ALLOW_LIST: wrong })).toEqual(['ALLOW_LIST cannot be used: chains must be a list'])
})

test('the documented settings are the ones that are read', () => {
  expect(readFileSync(new URL('../../../docs/agent-settings.md', import.meta.url), 'utf8')).toBe(
    agentSettingsDocument(),
  )
})
