import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testShell } from '../../testing/test-shell.ts'
import { run } from '../run.ts'

/** What pg_dump wrote of a sandbox of an earlier version, after one supply and a day of yield. */
const DUMP = new URL('../../testing/backup-0058.sql.br', import.meta.url)

const hasPsql = spawnSync('psql', ['--version']).status === 0
if (!hasPsql) process.stderr.write('apps/cli/src/backup: no `psql` here, so no backup is restored\n')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-dumps-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Checks a dump, and returns the findings that are not good ones. */
async function check(sql: string) {
  const file = join(folder, 'dump.sql')
  writeFileSync(file, sql)
  const shell = testShell()
  const code = await run(['backup', 'check', file, '--json'], shell)
  const { findings } = JSON.parse(shell.printed.join('\n')) as { findings: { status: string; message: string }[] }
  return { code, findings, wrong: findings.filter(({ status }) => status !== 'ok').map(({ message }) => message) }
}

test.skipIf(!hasPsql)(
  'an intact dump of an earlier version is restored, migrated and verified, and leaves nothing',
  async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('weir-backup-'))
    const { code, findings, wrong } = await check(brotliDecompressSync(readFileSync(DUMP)).toString())
    expect({ code, wrong }).toEqual({ code: 0, wrong: [] })
    expect(findings.map(({ message }) => message)).toContain('all audit logs are whole: 1, with 6 entries')
    expect(findings.at(-1)?.message).toBe('its newest event is from 2026-11-23T00:39:43.266Z')
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('weir-backup-'))).toEqual(before)
  },
)

test.skipIf(!hasPsql)('a dump with a changed audit entry, a changed balance and a cut end is not intact', async () => {
  const sql = brotliDecompressSync(readFileSync(DUMP)).toString()
  const changed = `${sql}
    alter table public.audit_log disable trigger user;
    update public.audit_log set action = 'nothing' where id = 3;
    update public.ledger_balances set available = available + 1, external = external - 1;
    insert into nowhere values (1);`
  const { code, wrong } = await check(changed)
  expect(code).toBe(1)
  expect(wrong).toEqual([
    'relation "nowhere" does not exist',
    expect.stringMatching(/^the audit log of organization 1 is broken, entry 3: /),
    expect.stringMatching(/^the ledger does not balance: balances that are not the sums of their postings/),
  ])
})

test.skipIf(!hasPsql)('a dump that ends between two tables is not intact', async () => {
  const sql = brotliDecompressSync(readFileSync(DUMP)).toString()
  const last = sql.lastIndexOf('-- Name: ', sql.lastIndexOf('TABLE DATA') + 1)
  const { code, wrong } = await check(sql.slice(0, sql.indexOf('TABLE DATA', last) + 5))
  expect(code).toBe(1)
  expect(wrong).toContain('it ends early: the line "PostgreSQL database dump complete" is missing at its end')
})

test('a dump that is missing or compressed is refused before anything starts', async () => {
  const shell = testShell()
  expect(await run(['backup', 'check', join(folder, 'nowhere')], shell)).toBe(2)
  const gzip = join(folder, 'dump.sql.gz')
  writeFileSync(gzip, Buffer.from([0x1f, 0x8b, 8, 0]))
  expect(await run(['backup', 'check', gzip], shell)).toBe(2)
  expect(shell.complained).toEqual([
    `weir: there is no file ${join(folder, 'nowhere')}`,
    `weir: ${gzip} is compressed by gzip: unpack it first`,
  ])
})
