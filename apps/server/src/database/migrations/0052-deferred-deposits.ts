import { type Kysely, sql } from 'kysely'

/** A block with a deposit that could not be processed is processed again later, so that its chain goes on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ramp_deferred_blocks (
      blockchain text not null,
      block_number bigint not null,
      since timestamptz not null,
      attempts integer not null,
      next_attempt_at timestamptz not null,
      error text not null,
      primary key (blockchain, block_number)
    );
    create index ramp_deferred_blocks_due on ramp_deferred_blocks (blockchain, next_attempt_at);
  `.execute(db)
}
