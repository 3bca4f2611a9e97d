import { type Kysely, sql } from 'kysely'

/**
 * Operations of the core surface: their origin and reasons, their required approvals, and the queue from which agents
 * lease their transactions. An agent's transaction gets its bytes when it is claimed (contract 9).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table operations
      -- The operational wallet that it serves; null: planned by a client on v1.
      add column op_wallet_id bigint,
      add column origin text not null default 'client' check (origin in ('client', 'explicit', 'rebalancer')),
      -- Why this move, this strategy and this amount; what the allocator weighed (contract 10).
      add column reasons jsonb,
      add column required_approvals integer not null default 0 check (required_approvals between 0 and 5),
      -- The rule of the approval policy that decided; null: its mode or its default did.
      add column approval_rule text,
      add column approved_at timestamptz,
      add column rejected_at timestamptz,
      -- The strategy's rate when a supply completed; of an unwind the annualized yield of what was withdrawn.
      add column actual_apy double precision;
    create index operations_of_operational_wallet on operations (organization_id, op_wallet_id, id)
      where op_wallet_id is not null;
    create index operations_awaiting_approval on operations (created_at) where state = 'PENDING_APPROVAL';

    alter table transactions alter column unsigned_bytes drop not null;

    create table operation_approvals (
      organization_id bigint not null,
      operation_id bigint not null,
      user_id bigint not null,
      decision text not null check (decision in ('approve', 'reject')),
      created_at timestamptz not null,
      primary key (organization_id, operation_id, user_id),
      foreign key (organization_id, operation_id) references operations (organization_id, id)
    );

    create table agent_work (
      organization_id bigint not null,
      transaction_id bigint not null,
      operation_id bigint not null,
      position smallint not null,
      blockchain text not null,
      sender text not null,
      -- False once it was submitted or its operation ended; the row stays, for reports that come late.
      is_open boolean not null default true,
      -- From when it may be leased: the end of a lease, of a pause after a failed look, or never as things stand.
      available_at timestamptz not null,
      lease_token text,
      leased_until timestamptz,
      claimed_at timestamptz,
      lease_count integer not null default 0,
      handed_out_at timestamptz,
      -- Simulations that reverted, one after the other (rule 12).
      refused_count integer not null default 0,
      first_refused_at timestamptz,
      -- An agent said FAILED of bytes that others may hold: nobody gets them until they are dead or landed (rule 4).
      withheld_at timestamptz,
      report jsonb,
      reported_at timestamptz,
      created_at timestamptz not null,
      primary key (organization_id, transaction_id),
      foreign key (organization_id, transaction_id) references transactions (organization_id, id)
    );
    create index agent_work_open on agent_work (organization_id, operation_id, position) where is_open;
  `.execute(db)
}
