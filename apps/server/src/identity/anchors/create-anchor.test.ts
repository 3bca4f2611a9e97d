// Also tested in: identity/anchors/anchor-audit-heads.test.ts (when an anchor is made, and where it goes).

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { useAuditLog } from '../../../testing/identity/use-audit-log.ts'
import { inTransaction } from '../../database/index.ts'
import { anchorText, digestOf, NO_ANCHOR } from './anchor.ts'
import { createAnchor } from './create-anchor.ts'

const log = useAuditLog()

test('anchors are numbered, follow each other by digest, and take each moved head once', async () => {
  const at = log.parts.clock.now()
  const other = (await organization(log.parts)).owner.organizationId
  expect(await createAnchor(log.parts.db, at)).toBeUndefined()
  await log.writeMany(2)
  await log.write({ organizationId: other })
  expect(await createAnchor(log.parts.db, at)).toBe(1)
  expect(await createAnchor(log.parts.db, at)).toBeUndefined()
  await log.write({ organizationId: other })
  expect(await createAnchor(log.parts.db, at)).toBe(2)
  const anchors = await log.parts.db.selectFrom('audit_anchors').selectAll().orderBy('id').execute()
  const heads = await log.parts.db.selectFrom('audit_anchor_heads').selectAll().orderBy('anchor_id').execute()
  const headsOf = (id: number) =>
    heads
      .filter(({ anchor_id }) => anchor_id === id)
      .map(({ organization_id: organizationId, entries, hash }) => ({ organizationId, entries, hash }))
      .toSorted((a, b) => a.organizationId - b.organizationId)
  expect(headsOf(1)).toMatchObject([
    { organizationId: log.organizationId, entries: 2 },
    { organizationId: other, entries: 1 },
  ])
  expect(headsOf(2)).toMatchObject([{ organizationId: other, entries: 2 }])
  expect(anchors.map(({ previous_digest }) => previous_digest)).toEqual([NO_ANCHOR, anchors[0]!.digest])
  const first = anchorText({ id: 1, at, previous: NO_ANCHOR, heads: headsOf(1) })
  expect(anchors[0]!.digest).toEqual(digestOf(first))
})

test('raising the anchored number of entries does not stop the anchors of that organization', async () => {
  const { db, clock } = log.parts
  await log.writeMany(1)
  const first = await createAnchor(db, clock.now())
  expect(first).toBeDefined()
  await inTransaction(db, async (tx) => {
    // With the rights of the database's owner.
    await sql`alter table audit_anchor_heads disable trigger user`.execute(tx)
    await sql`update audit_anchor_heads set entries = 1000000 where organization_id = ${log.organizationId}`.execute(tx)
    await sql`alter table audit_anchor_heads enable trigger user`.execute(tx)
  })
  await log.writeMany(1)
  expect(await createAnchor(db, clock.now())).toBe(first! + 1)
  expect(await createAnchor(db, clock.now())).toBeUndefined()
})
