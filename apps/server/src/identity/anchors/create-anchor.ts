import { sql } from 'kysely'
import { type Database, inTransaction } from '../../database/index.ts'
import { AUDIT_ANCHOR_HEADS_MAX } from '../../kernel/index.ts'
import { anchorText, digestOf, NO_ANCHOR } from './anchor.ts'

/**
 * Stores an anchor of the heads that differ from what was anchored last, at most 10,000; the next anchor takes the
 * others. A head that moved back is anchored too: nobody stops the anchors of an organization by a number that its log
 * never reaches. Returns the anchor's id; `undefined` if no head differs. One process at a time may call it.
 *
 * Ids have no gaps within an epoch. The first of a new one is the seconds since 2026, as `begin_epoch` moves sequences:
 * above all that were issued before, at most one a minute, including those that this database no longer has.
 */
export async function createAnchor(db: Database, at: Date): Promise<number | undefined> {
  return await inTransaction(db, async (tx) => {
    const { rows: heads } = await sql<{ organizationId: number; entries: number; hash: Buffer }>`
      select h.organization_id as "organizationId", h.entries, h.hash from audit_heads h
      left join lateral (
        select a.entries, a.hash from audit_anchor_heads a where a.organization_id = h.organization_id
        order by a.anchor_id desc limit 1
      ) anchored on true
      where h.entries > 0 and (h.entries, h.hash) is distinct from (anchored.entries, anchored.hash)
      order by h.organization_id limit ${AUDIT_ANCHOR_HEADS_MAX}
    `.execute(tx)
    if (heads.length === 0) return undefined
    const last = await tx
      .selectFrom('audit_anchors')
      .select(['id', 'digest', 'epoch'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const previous = last?.digest ?? NO_ANCHOR
    const { epoch } = await tx.selectFrom('database_history').select('epoch').executeTakeFirstOrThrow()
    // An anchor of an earlier version does not name its epoch.
    const isNewEpoch = last === undefined ? epoch > 0 : last.epoch !== null && last.epoch !== epoch
    const next = (last?.id ?? 0) + 1
    const id = isNewEpoch ? Math.max(next, secondsOf(at)) : next
    const digest = digestOf(anchorText({ id, at, previous, heads }))
    await tx.insertInto('audit_anchors').values({ id, at, digest, previous_digest: previous, epoch }).execute()
    await sql`
      insert into audit_anchor_heads (organization_id, anchor_id, entries, hash)
      select organization_id, ${id}, entries, decode(hash, 'hex')
      from unnest(${heads.map(({ organizationId }) => organizationId)}::bigint[],
        ${heads.map(({ entries }) => entries)}::bigint[],
        ${heads.map(({ hash }) => hash.toString('hex'))}::text[]) as head (organization_id, entries, hash)
    `.execute(tx)
    return id
  })
}

const secondsOf = (at: Date): number => Math.floor((at.getTime() - Date.UTC(2026, 0)) / 1_000)
