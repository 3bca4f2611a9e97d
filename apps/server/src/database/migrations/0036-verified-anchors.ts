import { type Kysely, sql } from 'kysely'

/** Heads of audit logs that were sent outside, so that rewriting a log from before is revealed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_anchors (
      -- Without gaps: 1, 2, 3.
      id bigint primary key check (id > 0),
      at timestamptz not null,
      -- SHA-256 of the anchor, and of the one before it.
      digest bytea not null,
      previous_digest bytea not null,
      -- A time stamp token (RFC 3161) over the digest.
      token bytea,
      -- Null: not everywhere outside yet.
      published_at timestamptz
    );
    create index audit_anchors_unpublished on audit_anchors (id) where published_at is null;
    create trigger audit_anchors_stay before delete on audit_anchors
      for each row execute function only_grows();
    create trigger audit_anchors_are_not_truncated before truncate on audit_anchors
      for each statement execute function only_grows();

    -- The heads that moved since the anchor before.
    create table audit_anchor_heads (
      organization_id bigint not null,
      anchor_id bigint not null references audit_anchors (id),
      entries bigint not null check (entries > 0),
      hash bytea not null,
      primary key (organization_id, anchor_id)
    );
    create index audit_anchor_heads_of_anchor on audit_anchor_heads (anchor_id);
    create trigger audit_anchor_heads_only_grow before update or delete on audit_anchor_heads
      for each row execute function only_grows();
    create trigger audit_anchor_heads_are_not_truncated before truncate on audit_anchor_heads
      for each statement execute function only_grows();
  `.execute(db)
}
