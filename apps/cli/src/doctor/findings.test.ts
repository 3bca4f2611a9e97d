// Also tested in: apps/cli/system/cli.test.ts (against a service that runs, and endpoints that do not).

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../server/src/config.ts'
import { testShell } from '../../testing/test-shell.ts'
import { endpointFindings } from './check-chains.ts'
import { findingsOf } from './check-database.ts'
import { checkKeys } from './check-keys.ts'
import { checkSettings } from './check-settings.ts'
import { type Finding, problem, reportLines } from './findings.ts'

const NOW = Date.parse('2026-11-22T00:00:00Z')
const worst = (findings: readonly Finding[]) =>
  findings.filter(({ status }) => status !== 'ok').map(({ status, message }) => `${status}: ${message}`)

const DATABASE = {
  version: 150_004,
  mayCreate: true,
  keepsSession: true,
  isSynchronous: false,
  syncStandbys: 0,
  wasReplicated: false,
  lostAt: undefined,
  clockAheadMs: 3,
  roundTripMs: 4,
  freeConnections: 90,
  migrations: { pending: [], unknown: [] },
}

test('a good database has no findings but good ones', () => {
  expect(worst(findingsOf(DATABASE, { databasePoolSize: 10, databaseSyncStandbys: 0 }))).toEqual([])
  const replicated = { ...DATABASE, isSynchronous: true, syncStandbys: 2 }
  expect(worst(findingsOf(replicated, { databasePoolSize: 10, databaseSyncStandbys: 2 }))).toEqual([])
})

test.each([
  [{ version: 140_010 }, 'problem: PostgreSQL 14.10 is too old'],
  [{ mayCreate: false }, 'problem: this user may not create tables, which a new version needs'],
  [
    { keepsSession: false },
    'warning: behind a pooler with pool_mode = transaction: settings of a session reach some connections only',
  ],
  [{ migrations: { pending: ['0060-x'], unknown: [] } }, 'warning: 1 migrations are pending: 0060-x'],
  [{ migrations: { pending: ['0060-x'], unknown: ['9999-y'] } }, 'problem: was migrated by a newer version: 9999-y'],
  [{ freeConnections: 3 }, 'warning: 3 connections are free, and a process uses 10 for requests and more for its work'],
  [{ clockAheadMs: -31_000 }, "problem: its clock is 31.0 s behind this host's"],
  [{ clockAheadMs: 3_500 }, "warning: its clock is 3.5 s ahead of this host's"],
  [{ isSynchronous: true, syncStandbys: 0 }, 'warning: 0 standbys acknowledge writes, DATABASE_SYNC_STANDBYS is 0'],
  [{ wasReplicated: true }, 'warning: one node acknowledges writes, and a standby did before'],
  [{ lostAt: new Date(NOW) }, 'problem: acknowledged writes were lost, noticed at 2026-11-22T00:00:00.000Z'],
])('a database with %j is reported', (facts, expected) => {
  expect(worst(findingsOf({ ...DATABASE, ...facts }, { databasePoolSize: 10, databaseSyncStandbys: 0 }))).toEqual([
    expected,
  ])
})

test('a database that the next version migrated is a warning after a rollback, and no restore is advised', () => {
  const rolledBack = { ...DATABASE, migrations: { pending: [], unknown: ['9999-y'] } }
  const found = findingsOf(rolledBack, { databasePoolSize: 10, databaseSyncStandbys: 0 })
  expect(worst(found)).toEqual(['warning: a newer version migrated it: 9999-y'])
  expect(JSON.stringify(found)).not.toContain('restore')
})

test('a demanded standby that is missing is a problem', () => {
  const found = findingsOf(
    { ...DATABASE, isSynchronous: true, syncStandbys: 0 },
    { databasePoolSize: 10, databaseSyncStandbys: 1 },
  )
  expect(worst(found)).toEqual(['problem: 0 standbys acknowledge writes, DATABASE_SYNC_STANDBYS is 1'])
})

test('standbys that cannot be counted are a problem where some are demanded, and a warning otherwise', () => {
  const uncounted = { ...DATABASE, isSynchronous: true, syncStandbys: undefined }
  const found = (databaseSyncStandbys: number) =>
    worst(findingsOf(uncounted, { databasePoolSize: 10, databaseSyncStandbys }))
  const message = 'this user may not read how many standbys acknowledge writes'
  expect(found(0)).toEqual([`warning: ${message}`])
  expect(found(1)).toEqual([`problem: ${message}, and DATABASE_SYNC_STANDBYS is 1: the service does not get ready`])
})

const ENDPOINT = {
  name: 'rpc.example',
  failure: undefined,
  chain: { method: 'eth_chainId', id: '0x2105', isRight: true },
  latencyMs: 40,
  batchMax: 100,
  finalDepth: 600,
  latestAt: NOW - 2_000,
  finalAt: NOW - 1_200_000,
  lacking: [],
  historySeconds: undefined,
}

test('a good endpoint is one line', () => {
  expect(endpointFindings('base', ENDPOINT, NOW)).toEqual([
    {
      status: 'ok',
      message: 'base, rpc.example: the right chain, 40 ms, batches, final 20 min and 600 blocks ago, with its state',
    },
  ])
})

test.each([
  [{ failure: 'rpc.example: ECONNREFUSED' }, 'problem: base, rpc.example: ECONNREFUSED'],
  [
    { failure: 'rpc.example returned a single object for a batch' },
    'problem: base, rpc.example: returned a single object for a batch',
  ],
  [
    { chain: { method: 'eth_chainId', id: '0x1', isRight: false } },
    'problem: base, rpc.example: serves another chain (0x1)',
  ],
  [
    { lacking: [{ need: 'balances at the final block', reason: 'missing trie node' }] },
    'problem: base, rpc.example: no balances at the final block, which is 600 blocks behind the latest (missing trie node)',
  ],
  [{ latestAt: NOW - 400_000 }, 'problem: base, rpc.example: its latest block is 7 min old'],
  [{ latestAt: NOW + 90_000 }, 'problem: base, rpc.example: its latest block is 90 s in the future'],
  [{ finalAt: NOW - 7_200_000 }, 'warning: base, rpc.example: its final block is 2 h old'],
  [{ latencyMs: 1_500 }, 'warning: base, rpc.example: responds in 1500 ms'],
  [
    { batchMax: undefined, lacking: [{ need: 'batches of 100 calls', reason: 'reports too many requests' }] },
    'problem: base, rpc.example: no batches of 100 calls (reports too many requests)',
  ],
  [{ batchMax: 3 }, 'warning: base, rpc.example: takes batches of at most 3 calls'],
  [{ historySeconds: 3_600 }, 'warning: base, rpc.example: keeps 60 min of history'],
])('an endpoint with %j is reported', (facts, expected) => {
  expect(worst(endpointFindings('base', { ...ENDPOINT, ...facts }, NOW))).toEqual([expected])
})

test('every wrong setting is a problem with what to do, and a misspelled one a warning', () => {
  const { config, findings } = checkSettings({
    PORT: '99999999',
    SERVICE_ENV: 'live',
    POLYGON_RPC_URLS: 'https://x',
    PATH: '/bin',
  })
  expect(config).toBeUndefined()
  const of = (word: string) => findings.find(({ message }) => message.startsWith(word))
  expect(of('PORT')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('correct PORT') })
  expect(of('DATABASE_URL')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('set DATABASE_URL') })
  expect(of('POLYGON_RPC_URLS')).toMatchObject({ status: 'warning', remedy: 'did you mean POLYGON_RPC_URL?' })
  expect(findings.filter(({ message }) => message.startsWith('PATH'))).toEqual([])
})

test('networks of proxies that may hold callers are warnings, and narrow ones are fine', () => {
  const found = (TRUSTED_PROXIES: string) => worst(checkSettings({ TRUSTED_PROXIES }).findings)
  expect(found('10.0.0.0/8, 10.0.7.0/24, 10.0.0.5, fd00::/63, fd00:0:0:7::/64')).toEqual([
    'warning: TRUSTED_PROXIES trusts all of 10.0.0.0/8: callers in it may choose their address',
    'warning: TRUSTED_PROXIES trusts all of fd00::/63: callers in it may choose their address',
  ])
  expect(found('')).toEqual([])
})

test('a live service that verifies no certificate is a problem with what to do', () => {
  const { findings } = checkSettings({ SERVICE_ENV: 'live', NODE_TLS_REJECT_UNAUTHORIZED: '0' })
  const found = findings.find(({ message }) => message.startsWith('NODE_TLS_REJECT_UNAUTHORIZED must not be 0'))
  expect(found).toMatchObject({ status: 'problem', remedy: expect.stringContaining('remove it') })
})

test('secrets that can be guessed or are the same are problems, and none is printed', () => {
  const random = 'f3b1c77a90d24e5586aa01bc9e7d4f2061c8e5b3a7942d0fbb16c3e8d5a47f90'
  const keysOf = (env: Record<string, string>) => checkKeys(readConfig({ DATA_DIR: '/nowhere', ...env }), NOW)
  const secrets = { JWT_SECRET: random, API_KEY_PEPPER: random, ENCRYPTION_KEY: '0'.repeat(64) }
  const found = keysOf(secrets)
  expect(found.filter(({ status }) => status === 'problem').map(({ message }) => message)).toEqual([
    'ENCRYPTION_KEY can be guessed: it repeats few characters or contains a common word',
    'JWT_SECRET and API_KEY_PEPPER are the same',
  ])
  expect(JSON.stringify(found)).not.toContain(random.slice(0, 8))
  const guessable = keysOf({ ...secrets, JWT_SECRET: 'please-change-me-0123456789-abcxyz', ENCRYPTION_KEY: random })
  expect(worst(guessable)).toContain(
    'problem: JWT_SECRET can be guessed: it repeats few characters or contains a common word',
  )
})

test('secrets of the sandbox that others can read are a problem', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secrets.json')
  writeFileSync(file, '{}', { mode: 0o600 })
  const check = () => checkKeys(readConfig({ DATA_DIR: folder }), NOW)
  expect(worst(check())).toEqual([])
  chmodSync(file, 0o644)
  expect(check()).toEqual([problem(`${file} can be read by others (mode 644)`, `chmod 600 ${file}`)])
})

test('the report wraps long lines, puts what to do below each problem, and counts', () => {
  const findings = [problem('one two three four five six seven eight nine ten', 'do this')]
  const lines = reportLines([{ name: 'Chains', findings }], { ...testShell(), columns: 40 })
  expect(lines).toEqual([
    'Chains',
    '  PROBLEM  one two three four five six',
    '           seven eight nine ten',
    '           → do this',
    '',
    '1 problem; 0 warnings, 0 fine, 0 skipped.',
  ])
})

test('a report that cites a page says where the pages are', () => {
  const reportOf = (remedy: string) => reportLines([{ name: 'Host', findings: [problem('x', remedy)] }], testShell())
  expect(reportOf('see docs/secrets.md').at(-3)).toMatch(
    /^docs\/ is \/.+\/docs; a service has these pages under \/docs\.$/,
  )
  expect(reportOf('see the manual').join('\n')).not.toContain('docs/')
})
