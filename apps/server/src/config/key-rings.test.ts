import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError, loadKeyRings, readConfig } from '../config.ts'

const long = 'x'.repeat(32)
const hex = (pair: string) => pair.repeat(32)

test('a single secret is a ring of one key with the id 0', () => {
  const secrets = { JWT_SECRET: `a:b,${long}`, API_KEY_PEPPER: long, ENCRYPTION_KEY: hex('aB') }
  expect(loadKeyRings(readConfig(secrets))).toEqual({
    jwt: [['0', `a:b,${long}`]],
    pepper: [['0', long]],
    encryption: [['0', hex('ab')]],
  })
})

test('a ring has keys with ids in the order in which they were written, and needs no secrets file', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-rings-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const rings = readConfig({
    DATA_DIR: dataDir,
    JWT_SECRETS: `b:${long}b,a:${long}a`,
    API_KEY_PEPPERS: `2026-1:${long}, 0:${long}0`,
    ENCRYPTION_KEYS: `k_2:${hex('cd')},0:${hex('ab')}`,
  })
  expect(loadKeyRings(rings)).toEqual({
    jwt: [
      ['b', `${long}b`],
      ['a', `${long}a`],
    ],
    pepper: [
      ['2026-1', long],
      ['0', `${long}0`],
    ],
    encryption: [
      ['k_2', hex('cd')],
      ['0', hex('ab')],
    ],
  })
  expect(readdirSync(dataDir)).toEqual([])
})

test.each([
  ['a key without an id', hex('ab')],
  ['an id with other characters', `../k:${hex('ab')}`],
  ['an id that is too long', `${'k'.repeat(17)}:${hex('ab')}`],
  ['a key of another length', 'k:abcd'],
  ['an id used twice', `k:${hex('ab')},k:${hex('cd')}`],
  ['a key used twice', `a:${hex('ab')},b:${hex('ab')}`],
  ['nothing after a comma', `a:${hex('ab')},`],
  ['more than eight keys', Array.from({ length: 9 }, (_, i) => `k${i}:${hex(`a${i}`)}`).join()],
])('a ring with %s is refused, without repeating it', (_what, text) => {
  const problems = problemsOf({ ENCRYPTION_KEYS: text })
  expect(problems).toEqual([expect.stringMatching(/^ENCRYPTION_KEYS must /)])
  expect(problems.join()).not.toContain('abab')
})

test('a secret is set once: alone or in a ring', () => {
  const both = { JWT_SECRET: long, JWT_SECRETS: `a:${long}` }
  expect(problemsOf(both)).toEqual(['JWT_SECRET must not be set along with JWT_SECRETS: add it there with the id 0'])
})

test('a ring counts as the secret that live requires', () => {
  const live = {
    SERVICE_ENV: 'live',
    DATABASE_URL: 'postgres://db/weir?sslmode=verify-full',
    BASE_RPC_URL: 'https://a.example',
  }
  const rings = { JWT_SECRETS: `a:${long}`, API_KEY_PEPPERS: `a:${long}`, ENCRYPTION_KEYS: `a:${hex('ab')}` }
  expect(readConfig({ ...live, ...rings }).environment).toBe('live')
})

test('with KMS, live needs no encryption key of its own, and makes no secrets file', () => {
  const live = {
    SERVICE_ENV: 'live',
    DATABASE_URL: 'postgres://db/weir?sslmode=verify-full',
    BASE_RPC_URL: 'https://a.example',
    JWT_SECRET: long,
    API_KEY_PEPPER: long,
    DATA_DIR: '/nowhere',
  }
  expect(problemsOf(live)).toEqual(['ENCRYPTION_KEY must be set when SERVICE_ENV is live'])
  const config = readConfig({ ...live, ENCRYPTION_KMS_KEY_ID: 'alias/weir, arn:aws:kms:eu-central-1:1:key/a-b' })
  expect(config.encryptionKms).toEqual({
    keyIds: ['alias/weir', 'arn:aws:kms:eu-central-1:1:key/a-b'],
    installation: 'weir',
    seals: true,
    endpoint: undefined,
  })
  expect(loadKeyRings(config).encryption).toEqual([])
})

test.each(['alias/a,', 'alias/ a', 'a;b'])('ENCRYPTION_KMS_KEY_ID %s is refused', (text) => {
  expect(problemsOf({ ENCRYPTION_KMS_KEY_ID: text })).toEqual([
    expect.stringContaining('ENCRYPTION_KMS_KEY_ID must be a key id'),
  ])
})

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
  }
  throw new Error('readConfig found nothing wrong')
}
