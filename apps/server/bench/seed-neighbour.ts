import { sql } from 'kysely'
import type { BenchDatabase } from './bench-environment.ts'
import { TOKEN, WALLET_BALANCE } from './memory-chain.ts'
import { inBulk } from './seed.ts'

/** What an operational wallet holds above its buffer: 100 tokens. */
export const EXCESS = 100_000_000n
/** What each position holds, in base units. */
const HELD = 1_000_000
/** In parts: the connection gives up on a statement that takes longer than the service's may, on a busy machine too. */
const WALLETS_OF_A_STATEMENT = 20_000
const BUFFER = (WALLET_BALANCE - EXCESS).toString()

/** Makes wallets of the database's organization operational, with an excess; none is due. */
export async function makeOperational({ parts, organizationId }: BenchDatabase, wallets: number[]): Promise<void> {
  await sql`
    insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, created_at,
      updated_at)
    select ${organizationId}, id, ${TOKEN}, true, ${BUFFER}::numeric, now(), now() from unnest(${wallets}::bigint[]) id
  `.execute(parts.db)
  await sql`analyze operational_wallets`.execute(parts.db)
}

/**
 * Operational wallets of the database's organization, each with an open position and an excess, and due: the most that
 * wallets can ask of the service.
 */
export async function seedOperationalWallets(database: BenchDatabase, count: number): Promise<void> {
  const { organizationId } = database
  await inBulk(database, async (tx) => {
    for (let from = 1; from <= count; from += WALLETS_OF_A_STATEMENT) {
      const to = Math.min(count, from + WALLETS_OF_A_STATEMENT - 1)
      await sql`
        with made as (
          insert into wallets (organization_id, wallet_profile_id, blockchain, address, reconciled_block, created_at)
          select ${organizationId}, (select id from wallet_profiles where organization_id = ${organizationId}), 'polygon',
            '0x' || lpad((${organizationId}::bigint * 100000000 + n)::text, 40, '0'), 0, now()
          from generate_series(${from}::int, ${to}::int) n
          returning organization_id, id
        ), balances as (
          insert into ledger_balances (organization_id, wallet_id, token_address, available, deployed, external)
          select organization_id, id, ${TOKEN}, ${WALLET_BALANCE.toString()}::numeric, ${HELD}::int,
            -(${WALLET_BALANCE.toString()}::numeric + ${HELD}::int)
          from made
        ), operational as (
          insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, due_at,
            created_at, updated_at)
          select organization_id, id, ${TOKEN}, true, ${BUFFER}::numeric, now(), now(), now() from made
        )
        insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
          posted_price, posted_at, opened_at, updated_at)
        select organization_id, id, ${database.strategyId}, 'ACTIVE', ${HELD}::int, ${HELD}::int, ${HELD}::int,
          ${(10n ** 18n).toString()}::numeric, now(), now(), now()
        from made
      `.execute(tx)
    }
  })
}
