import { type Kysely, sql } from 'kysely'

/**
 * The service moves an agent's work itself, in the statement that moves its transaction or ends its operation; the
 * tables of states say how. An older process relies on these triggers, so every older process must be stopped first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger transactions_move_agent_work on transactions;
    drop trigger operations_end_agent_work on operations;
    drop function agent_work_follows_transaction();
    drop function agent_work_ends();
  `.execute(db)
}
