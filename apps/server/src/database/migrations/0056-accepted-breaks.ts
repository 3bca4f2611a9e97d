import { type Kysely, sql } from 'kysely'

/** A person may accept a difference between ledger and chain, with a reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_breaks
      add column accepted_at timestamptz,
      add column accepted_by bigint,
      add column accepted_amount numeric(78, 0),
      add column accepted_reason text,
      add constraint ledger_breaks_accepted check (
        (accepted_at is null) = (accepted_by is null) and (accepted_at is null) = (accepted_amount is null)
        and (accepted_at is null) = (accepted_reason is null)
      );
  `.execute(db)
}
