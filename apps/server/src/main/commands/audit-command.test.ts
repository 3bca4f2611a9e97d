import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase, testDatabase } from '../../../testing/index.ts'
import { type Database, inTransaction, migrate, openDatabase, startEmbeddedPostgres } from '../../database/index.ts'
import { anchorAuditHeads, appendAuditEntry, fileAnchors } from '../../identity/index.ts'
import { ManualClock, silentLog, systemClock } from '../../kernel/index.ts'
import { verifyAudit } from './audit-command.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-audit-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(env: Record<string, string>, ...args: string[]) {
  const lines: string[] = []
  const isWhole = await verifyAudit(env, args, (line) => lines.push(line))
  return { isWhole, lines }
}

/** An organization whose log has two entries. */
async function fill(db: Database): Promise<number> {
  const { id } = await db
    .insertInto('organizations')
    .values({ name: 'Acme', created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const objectId of [1, 2]) await tick(db, id, objectId)
  return id
}

const tick = (db: Database, organizationId: number, objectId = 3) =>
  inTransaction(db, (tx) =>
    appendAuditEntry(tx, {
      organizationId,
      actor: { type: 'system', id: null },
      action: 'tick',
      objectType: 'clock',
      objectId,
      from: null,
      at: systemClock.now(),
    }),
  )

async function tamper(db: Database, organizationId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`alter table audit_log disable trigger audit_log_only_grows`.execute(tx)
    await sql`update audit_log set object_id = 7 where id = 2 and organization_id = ${organizationId}`.execute(tx)
    await sql`alter table audit_log enable trigger audit_log_only_grows`.execute(tx)
  })
}

test('it reports every organization’s log, finds the first broken entry, and checks a hash recorded elsewhere', async () => {
  const { db, url, close } = await testDatabase()
  const env = { DATABASE_URL: url }
  const first = await fill(db)
  const second = await fill(db)
  const { isWhole, lines } = await run(env)
  expect(isWhole).toBe(true)
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^organization ${first}: 2 entries, chain whole, head ${first}:2:[0-9a-f]{64}$`)),
    expect.stringMatching(`^organization ${second}: 2 entries, chain whole`),
  ])
  const pin = String(lines[0]?.split('head ')[1])
  expect((await run(env, pin)).isWhole).toBe(true)
  expect((await run(env, `${first}:2:${'0'.repeat(64)}`)).lines[0]).toContain('known elsewhere')
  expect((await run(env, `999999:1:${'0'.repeat(64)}`)).isWhole).toBe(false)
  await expect(run(env, 'yesterday')).rejects.toThrow('ORGANIZATION:ENTRY:HASH')

  await tamper(db, first)
  const broken = await run(env)
  expect(broken.isWhole).toBe(false)
  expect(broken.lines).toEqual([
    `organization ${first}: broken, entry 2: its content is not what was written; 1 entry before it is intact`,
    expect.stringContaining('chain whole'),
  ])
  await close()
})

test('the embedded database can be read while the service runs, and without it', async () => {
  const env = { DATA_DIR: folder }
  await expect(run(env)).rejects.toThrow('there is no database in it')
  const service = await startEmbeddedPostgres({ dataDir: folder, log: silentLog })
  const { db, close } = openDatabase({ url: service.url, log: silentLog, max: 2 })
  await migrate(db, silentLog)
  const organizationId = await fill(db)
  const whileRunning = await run(env)
  expect(whileRunning).toMatchObject({ isWhole: true, lines: [expect.stringContaining('2 entries, chain whole')] })
  await tamper(db, organizationId)
  expect((await run(env)).isWhole).toBe(false)
  await close()
  await service.stop()
  expect((await run(env)).lines).toEqual([expect.stringContaining('broken, entry 2')])
})

test('anchors of several files are taken together, and missing ones and a return are named', async () => {
  const { db, url, close } = await testDatabase()
  const clock = new ManualClock()
  const organizationId = await fill(db)
  const anchorIn = async (path: string) => {
    clock.advance(3_600_000)
    await tick(db, organizationId)
    await anchorAuditHeads({ db, clock, log: silentLog, publishers: [fileAnchors(path, silentLog)] }, 3_600_000)
  }
  const [a, b] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')]
  for (const path of [a, b, a]) await anchorIn(path)
  const verify = (...paths: string[]) => run({ DATABASE_URL: url }, ...paths.map((path) => `--anchors=${path}`))
  const whole = expect.stringContaining('all anchored')
  const [ofA, ofB] = [`${a}: 2 anchors, unchanged`, `${b}: 1 anchors, unchanged`]
  expect(await verify(a, b)).toEqual({ isWhole: true, lines: [ofA, ofB, whole] })
  const stored = 'anchors between 1 and 3 are in no file; the database has them unchanged'
  expect(await verify(a)).toEqual({ isWhole: true, lines: [ofA, stored, whole] })
  await inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`delete from audit_anchor_heads where anchor_id > 1`.execute(tx)
    await sql`delete from audit_anchors where id > 1`.execute(tx)
  })
  const gone = 'broken: anchors between 1 and 3 are in no file, and the database cannot prove them'
  expect(await verify(a)).toEqual({ isWhole: false, lines: [ofA, gone, whole] })
  await anchorIn(b)
  const returned = `broken: the database went back to before anchor 2; what these anchored was lost or removed: 2 (${b}, line 1), 3 (${a}, line 2)`
  expect(await verify(a, b)).toEqual({ isWhole: false, lines: [ofA, `${b}: 2 anchors, unchanged`, returned, whole] })
  await close()
})

test('a database of another version is not verified', async () => {
  const { url, drop } = await emptyDatabase()
  await expect(run({ DATABASE_URL: url })).rejects.toThrow('at a different version')
  await drop()
})
