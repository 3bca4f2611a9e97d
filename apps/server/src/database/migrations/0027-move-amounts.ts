import { type Kysely, sql } from 'kysely'

/**
 * Amounts of a move that later plans and presenters read again become columns; until now they were read out of the JSON
 * of `reasons`, which is for people. The JSON of existing rows stays as it is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table operations
      add column planned_value numeric(78, 0) check (planned_value >= 0),
      add column move_total numeric(78, 0) check (move_total >= 0),
      add column move_remaining numeric(78, 0) check (move_remaining >= 0),
      add column catalogue_fingerprint text;
    update operations set
      planned_value = (reasons ->> 'worth')::numeric,
      move_total = (reasons ->> 'whole')::numeric,
      move_remaining = (reasons ->> 'rest')::numeric,
      catalogue_fingerprint = reasons ->> 'strategies'
    where reasons is not null;
  `.execute(db)
}
