import { type Kysely, sql } from 'kysely'

/** A strategy that refused a move of an operational wallet: until when the rebalancer leaves it out, and why. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refused_moves (
      organization_id bigint not null references organizations (id),
      op_wallet_id bigint not null,
      strategy_id bigint not null references strategies (id),
      type text not null check (type in ('SUPPLY', 'UNWIND')),
      -- Refusals in a row; the pause grows with it.
      failures integer not null check (failures > 0),
      code text not null,
      message text not null,
      refused_at timestamptz not null,
      until timestamptz not null,
      primary key (organization_id, op_wallet_id, strategy_id, type),
      foreign key (organization_id, op_wallet_id) references operational_wallets (organization_id, id) on delete cascade
    );
  `.execute(db)
}
