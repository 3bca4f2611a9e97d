import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useAuditLog } from '../../../testing/identity/use-audit-log.ts'
import { inTransaction } from '../../database/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { verifyAuditLogs } from '../audit/verify-audit-log.ts'
import { type AnchorPublisher, anchorAuditHeads } from './anchor-audit-heads.ts'
import { fileAnchors } from './append-to-file.ts'
import { auditBacklog } from './audit-backlog.ts'
import { connectAnchors } from './connect-anchors.ts'
import { readAnchorLines } from './read-anchor-lines.ts'

const log = useAuditLog()
const HOUR = 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'weir-anchors-'))
const path = join(folder, 'anchors.ndjson')
const anchor = (...publishers: AnchorPublisher[]) =>
  anchorAuditHeads({ ...log.parts, log: silentLog, publishers: [fileAnchors(path, silentLog), ...publishers] }, HOUR)
const written = async () => connectAnchors([await readAnchorLines(readFileSync(path, 'utf8'))])

async function problems() {
  const { checkpoints } = await written()
  const found: string[] = []
  for await (const { broken } of verifyAuditLogs(log.parts.db, checkpoints)) if (broken) found.push(broken)
  return found
}

test('an anchor has every head that moved since the last one, at most one per interval', async () => {
  log.parts.clock.advance(HOUR)
  await log.writeMany(3)
  await anchor()
  const first = await written()
  expect(first.checkpoints).toContainEqual({ organizationId: log.organizationId, entryId: 3, hash: expect.any(String) })
  await log.write()
  await anchor()
  expect((await written()).anchors).toBe(first.anchors)
  log.parts.clock.advance(HOUR)
  await anchor()
  const second = await written()
  expect(second.checkpoints.slice(first.checkpoints.length)).toEqual([
    { organizationId: log.organizationId, entryId: 4, hash: expect.any(String) },
  ])
  log.parts.clock.advance(HOUR)
  await anchor()
  expect((await written()).anchors).toBe(second.anchors)
  expect(await problems()).toEqual([])
})

test('an anchor that could not be sent is sent again first, and nothing is anchored past it', async () => {
  log.parts.clock.advance(HOUR)
  await log.write()
  let isAvailable = false
  const sent: number[] = []
  const flaky: AnchorPublisher = {
    name: 'flaky',
    async publish({ id }) {
      if (!isAvailable) throw new Error('unavailable')
      sent.push(id)
      return undefined
    },
  }
  await anchor(flaky)
  log.parts.clock.advance(2 * HOUR)
  await log.write()
  await anchor(flaky)
  expect(await auditBacklog(log.parts.db, log.parts.clock.now())).toEqual({ unchained: 0, anchorSeconds: 7_200 })
  isAvailable = true
  await anchor(flaky)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toBe(sent[0]! + 1)
  expect(await auditBacklog(log.parts.db, log.parts.clock.now())).toEqual({ unchained: 0, anchorSeconds: 0 })
  // The file contains the first one several times, which does no harm.
  expect(await problems()).toEqual([])
})

test('the token of a time stamp is stored and part of the lines after it', async () => {
  log.parts.clock.advance(HOUR)
  await log.write()
  const lines: string[] = []
  const stamping: AnchorPublisher = { name: 'stamp', publish: async () => Buffer.from('token') }
  const keeping: AnchorPublisher = {
    name: 'keep',
    async publish({ line }) {
      lines.push(line)
      return undefined
    },
  }
  await anchor(stamping, keeping)
  expect(JSON.parse(lines[0]!)).toMatchObject({ token: Buffer.from('token').toString('base64') })
  const { token } = await log.parts.db
    .selectFrom('audit_anchors')
    .select('token')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(token?.toString()).toBe('token')
})

test('a log that is cut back or rewritten with its head after an anchor is found', async () => {
  const { organizationId } = log
  log.parts.clock.advance(HOUR)
  await log.writeMany(4)
  await anchor()
  expect(await problems()).toEqual([])
  await inTransaction(log.parts.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`delete from audit_log where organization_id = ${organizationId} and id > 2`.execute(tx)
    await sql`update audit_heads set entries = 2, hash = (select hash from audit_log l
      where l.organization_id = ${organizationId} and l.id = 2) where organization_id = ${organizationId}`.execute(tx)
  })
  expect(await problems()).toEqual(['the log ends at entry 2, but entry 4 is known elsewhere'])
  await log.writeMany(2)
  expect(await problems()).toEqual(['entry 4: its hash is not the one that is known elsewhere'])
})

test('a file that was changed is refused with its line, and an anchor that was removed is missing', async () => {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const ids = lines.map((line) => JSON.parse(line).id)
  const changed = JSON.parse(lines[0]!)
  changed.heads[0][1] += 1
  await expect(readAnchorLines([JSON.stringify(changed), ...lines.slice(1)].join('\n'))).rejects.toThrow(
    'line 1: the anchor was changed',
  )
  const without = await readAnchorLines(lines.filter((_, at) => ids[at] !== 2).join('\n'))
  expect(await connectAnchors([without])).toMatchObject({ missing: [{ after: 1, before: 3, stored: false }], lost: [] })
  await expect(readAnchorLines('{"id": 1}')).rejects.toThrow('line 1: this is not an anchor')
})

test('anchors can be neither removed nor changed in the database without its owner', async () => {
  for (const statement of [
    'delete from audit_anchors',
    'truncate audit_anchors cascade',
    'delete from audit_anchor_heads',
  ])
    await expect(sql.raw(statement).execute(log.parts.db), statement).rejects.toThrow('only grows')
})

test('a clock that is set back delays no anchor', async () => {
  log.parts.clock.advance(365 * 24 * HOUR)
  await log.write()
  await anchor()
  const { anchors } = await written()
  log.parts.clock.advance(-365 * 24 * HOUR)
  await log.write()
  await anchor()
  expect((await written()).anchors).toBe(anchors + 1)
  await log.write()
  await anchor()
  expect((await written()).anchors).toBe(anchors + 1)
})
