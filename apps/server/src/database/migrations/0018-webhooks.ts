import { type Kysely, sql } from 'kysely'

/**
 * Webhooks, and a position for every event. Ids are assigned before their transaction commits, so a reader that
 * continued after the highest id could miss a row that commits later. Positions are assigned to committed rows, by one
 * transaction at a time, so a reader that uses them misses nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table outbox
      add column position bigint,
      add column body text,
      add column wallet_profile_id bigint;
    update outbox o set data = o.data || jsonb_build_object('principal', a.principal::text,
        'realizedYield', a.realized_yield::text)
      from allocations a
      where o.object_type = 'allocation' and a.organization_id = o.organization_id and a.id = o.object_id;
    create unique index outbox_by_position on outbox (position) where position is not null;
    create index outbox_of_organization on outbox (organization_id, position) where position is not null;

    create table event_relay (
      id boolean primary key default true check (id),
      last_position bigint not null,
      last_at timestamptz
    );
    insert into event_relay (last_position) values (0);

    create table webhooks (
      organization_id bigint not null,
      id bigint generated always as identity unique,
      url text not null,
      events text[] not null,
      description text,
      secret bytea not null,
      previous_secret bytea,
      previous_secret_until timestamptz,
      failures integer not null default 0,
      failing_since timestamptz,
      failing_at timestamptz,
      paused_until timestamptz,
      disabled_at timestamptz,
      disabled_because text check (disabled_because in ('asked', 'failing')),
      wake_at timestamptz,
      lease text,
      leased_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      primary key (organization_id, id)
    );
    create index webhooks_due on webhooks (wake_at) where wake_at is not null;
    create index webhooks_failing on webhooks (failing_since) where failing_at is not null and disabled_at is null;

    create table webhook_deliveries (
      organization_id bigint not null,
      id bigint generated always as identity unique,
      webhook_id bigint not null,
      event_id bigint not null,
      event text not null,
      object_type text not null,
      object_id bigint not null,
      status text not null check (status in ('pending', 'delivered', 'failed')),
      tries integer not null default 0,
      attempts jsonb not null default '[]',
      next_attempt_at timestamptz,
      created_at timestamptz not null,
      primary key (organization_id, webhook_id, id),
      unique (organization_id, webhook_id, event_id),
      foreign key (organization_id, webhook_id) references webhooks (organization_id, id),
      check ((status = 'pending') = (next_attempt_at is not null))
    );
    create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, id) where status = 'pending';
  `.execute(db)
}
