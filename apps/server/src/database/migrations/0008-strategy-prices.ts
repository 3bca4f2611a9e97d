import { type Kysely, sql } from 'kysely'

/** One price per strategy and UTC day: a vault reports no rate, so its yield is measured between two prices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table strategy_prices (
      strategy_id bigint not null references strategies (id),
      day date not null,
      price numeric(78, 0) not null,
      read_at timestamptz not null,
      primary key (strategy_id, day)
    );
  `.execute(db)
}
