// Also tested in: main/commands/audit-command.test.ts (what is said, and the exit code), identity/anchors/append-to-file.test.ts.

import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useAuditLog } from '../../../testing/identity/use-audit-log.ts'
import { inTransaction } from '../../database/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { verifyAuditLogs } from '../audit/verify-audit-log.ts'
import { anchorAuditHeads } from './anchor-audit-heads.ts'
import { fileAnchors } from './append-to-file.ts'
import { connectAnchors } from './connect-anchors.ts'
import { readAnchorLines } from './read-anchor-lines.ts'
import { storedAnchors } from './stored-anchors.ts'

const log = useAuditLog()
const HOUR = 3_600_000
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weir-anchors-'))
  await emptyAnchors()
  await withAllRights('update database_history set epoch = 0')
})

const withAllRights = (...statements: string[]) =>
  inTransaction(log.parts.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })
const emptyAnchors = (after = 0) =>
  withAllRights(
    `delete from audit_anchor_heads where anchor_id > ${after}`,
    `delete from audit_anchors where id > ${after}`,
  )

/** The next anchor, made on this host: the job runs on one at a time, and each has its own disk. */
async function anchorOn(host: string): Promise<void> {
  log.parts.clock.advance(HOUR)
  await log.write()
  await anchorAuditHeads(
    { ...log.parts, log: silentLog, publishers: [fileAnchors(join(folder, host), silentLog)] },
    HOUR,
  )
}
const linesOf = (host: string) => readFileSync(join(folder, host), 'utf8').trim().split('\n')
const connect = async (texts: readonly (readonly string[])[], stored = storedAnchors(log.parts.db)) =>
  connectAnchors(await Promise.all(texts.map((lines) => readAnchorLines(lines.join('\n')))), stored)
const NOTHING_STORED = async () => undefined

const entriesOf = ({ checkpoints }: Awaited<ReturnType<typeof connect>>) =>
  checkpoints.filter(({ organizationId }) => organizationId === log.organizationId).map(({ entryId }) => entryId)

async function problemsOf({ checkpoints }: Awaited<ReturnType<typeof connect>>) {
  const found: string[] = []
  for await (const { organizationId, broken } of verifyAuditLogs(log.parts.db, checkpoints))
    if (broken && organizationId === log.organizationId) found.push(broken)
  return found
}

test('the files of two hosts are one chain, and one of them is completed from the database', async () => {
  for (const host of ['a', 'b', 'b', 'a', 'b']) await anchorOn(host)
  const [a, b] = [linesOf('a'), linesOf('b')]
  const whole = { anchors: 5, missing: [], lost: [] }
  expect(await connect([a, b], NOTHING_STORED)).toMatchObject(whole)
  expect(await connect([b, a], NOTHING_STORED)).toMatchObject(whole)
  const one = await connect([a])
  expect(one).toMatchObject({ anchors: 4, missing: [{ after: 1, before: 4, stored: true }], lost: [] })
  expect(entriesOf(one)).toEqual([1, 2, 3, 4])
  expect(await problemsOf(one)).toEqual([])
})

test('anchors that no file has are missing if the database no longer has them as they were', async () => {
  for (const host of ['a', 'b', 'b', 'a']) await anchorOn(host)
  await withAllRights('update audit_anchor_heads set entries = 99 where anchor_id = 2')
  const one = await connect([linesOf('a')])
  expect(one).toMatchObject({ missing: [{ after: 1, before: 4, stored: false }], lost: [] })
  expect(entriesOf(one)).toEqual([1, 3, 4])
})

test('an anchor that follows another one than the file has is refused', async () => {
  for (const host of ['a', 'a']) await anchorOn(host)
  await emptyAnchors(1)
  for (const host of ['b', 'a']) await anchorOn(host)
  const [first, lost, third] = linesOf('a')
  await emptyAnchors()
  await expect(connect([[first!, lost!, third!]])).rejects.toThrow('line 3: anchor 3 does not follow anchor 2')
})

test('after a restore, the files name what was lost, and prove the rest', async () => {
  for (const host of ['a', 'a', 'b', 'a']) await anchorOn(host)
  await emptyAnchors(2)
  const { organizationId } = log
  await withAllRights(
    `delete from audit_log where organization_id = ${organizationId} and id > 2`,
    `update audit_heads set entries = 2, hash = (select hash from audit_log l where l.organization_id = ${organizationId}
      and l.id = 2) where organization_id = ${organizationId}`,
  )
  await sql`select begin_epoch('restored')`.execute(log.parts.db)
  await anchorOn('a')
  await anchorOn('b')
  const both = await connect([linesOf('a'), linesOf('b')])
  expect(both.lost.map((anchors) => anchors.map(({ id, place }) => [id, place]))).toEqual([
    [
      [3, 'line 1'],
      [4, 'line 3'],
    ],
  ])
  expect(both).toMatchObject({ anchors: 4, missing: [] })
  expect(await problemsOf(both)).toEqual([])
  // Without the lines of what was lost, the files are whole again.
  const [a, b] = [linesOf('a').toSpliced(2, 1), linesOf('b').toSpliced(0, 1)]
  expect(await connect([a, b], NOTHING_STORED)).toMatchObject({ anchors: 4, missing: [], lost: [] })
  expect((await connect([linesOf('a')])).lost).toHaveLength(1)
})

test('a new epoch issues no id of an anchor that the database may have lost', async () => {
  for (const host of ['a', 'a', 'a']) await anchorOn(host)
  await emptyAnchors(1)
  await sql`select begin_epoch('restored')`.execute(log.parts.db)
  for (const host of ['a', 'a']) await anchorOn(host)
  const idsOf = (lines: readonly string[]) => lines.map((line) => Number(JSON.parse(line).id))
  const ids = idsOf(linesOf('a'))
  expect(ids.slice(0, 3)).toEqual([1, 2, 3])
  expect(ids[3]).toBeGreaterThan(ids[2]!)
  expect(ids[4]).toBe(ids[3]! + 1)
  await emptyAnchors()
  await sql`select begin_epoch('restored again')`.execute(log.parts.db)
  await anchorOn('a')
  expect(idsOf(linesOf('a'))[5]).toBeGreaterThan(ids[4]!)
})

test('a database that went back without an epoch issues an id again, and the files name the restore', async () => {
  for (const host of ['a', 'a', 'a']) await anchorOn(host)
  await emptyAnchors(1)
  await anchorOn('a')
  const connected = await connect([linesOf('a')])
  expect(connected.anchors).toBe(2)
  expect(connected.lost.map((anchors) => anchors.map(({ place }) => place))).toEqual([['line 2', 'line 3']])
})
