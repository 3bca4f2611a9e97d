import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { sql as statement } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase, startEmbeddedPostgres } from '../../../server/src/database/index.ts'
import { silentLog } from '../../../server/src/kernel/index.ts'
import { testDatabase } from '../../../server/testing/index.ts'
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

const databases = statement<{ name: string }>`
  select datname as name from pg_database where not datistemplate order by datname
`

/** Checks a dump, and returns the findings that are not good ones. */
async function check(sql: string, ...options: string[]) {
  const file = join(folder, 'dump.sql')
  writeFileSync(file, sql)
  const shell = testShell()
  const code = await run(['backup', 'check', file, '--json', ...options], shell)
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

test.skipIf(!hasPsql)(
  'an extension that the server of a dump has is none of Weir, and the check goes past it',
  async () => {
    const sql = brotliDecompressSync(readFileSync(DUMP)).toString()
    const extension = 'create extension pgaudit with schema public; comment on extension pgaudit is $$auditing$$;'
    const { code, findings } = await check(`${extension}\n${sql}`)
    expect(code).toBe(0)
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([
      {
        status: 'skipped',
        message: expect.stringMatching(/^an extension of PostgreSQL, which Weir does not need: .*pgaudit/),
      },
      { status: 'skipped', message: expect.stringContaining('extension "pgaudit" does not exist') },
    ])
  },
)

test.skipIf(!hasPsql)(
  'a dump is checked on a server that holds nothing of Weir, and leaves nothing there',
  async () => {
    const server = await startEmbeddedPostgres({ dataDir: folder, log: silentLog, survivesPowerLoss: false })
    onTestFinished(() => server.stop())
    const sql = brotliDecompressSync(readFileSync(DUMP)).toString()
    expect(await check(sql, '--server', server.url)).toMatchObject({ code: 0, wrong: [] })
    const { db, close } = openDatabase({ url: server.url, log: silentLog, max: 1 })
    onTestFinished(close)
    const { rows } = await databases.execute(db)
    expect(rows.map(({ name }) => name)).toEqual(['postgres', 'weir'])

    const leaving = testShell()
    const file = join(folder, 'created.sql')
    writeFileSync(file, `create table kept ();\nDROP DATABASE weir;\n\\connect weir\n${sql}`)
    expect(await run(['backup', 'check', file, '--server', server.url], leaving)).toBe(2)
    expect(leaving.complained.join()).toContain('creates databases or roles')
  },
)

test.skipIf(!hasPsql)('a dump that asks the server to run a program is refused that', async () => {
  const ran = join(folder, 'ran')
  const dump = `create table lines (line text);\ncopy lines from program 'touch ${ran}';\n-- PostgreSQL database dump complete\n`
  const { code, wrong } = await check(dump)
  expect(code).toBe(1)
  expect(wrong[0]).toContain('permission denied to COPY')
  expect(existsSync(ran)).toBe(false)
})

test('a server that holds Weir in any of its databases is refused before a restore begins', async () => {
  const { url, close } = await testDatabase()
  onTestFinished(close)
  const beside = new URL(url)
  beside.pathname = '/postgres'
  const file = join(folder, 'dump.sql')
  writeFileSync(file, 'select 1;')
  const shell = testShell()
  expect(await run(['backup', 'check', file, '--server', beside.href], shell)).toBe(2)
  expect(shell.complained.join()).toContain('the server of --server holds Weir, in the database ')
  expect(await run(['backup', 'check', file, '--server', 'localhost'], shell)).toBe(2)
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
