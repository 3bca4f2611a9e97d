import { type Kysely, sql } from 'kysely'

/**
 * What a strategy's contracts accept and pay now, as read from the chain; why the service itself paused a strategy, which
 * no restart lifts; and what the owner of each position could withdraw.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table strategies
      add column announced_status text check (announced_status in ('active', 'paused', 'deprecated')),
      add column paused_because text check (paused_because in ('wrong_token')),
      add column catalogue_revision integer not null default 0,
      add column deposit_state text check (deposit_state in ('open', 'full', 'frozen', 'paused')),
      -- Base units that the contracts accept now; null: no bound, or none that they report.
      add column deposit_room numeric check (deposit_room >= 0),
      add column withdrawal_state text check (withdrawal_state in ('open', 'paused'));
    alter table allocations
      -- Base units; null: not read yet, or unreadable.
      add column withdrawable numeric check (withdrawable >= 0),
      add column withdrawable_at timestamptz;
  `.execute(db)
}
