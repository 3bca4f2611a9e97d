import { sql } from 'kysely'
import { type Database, runPrepared, type Tx } from '../database/index.ts'
import { type Breaker, breakerFrom, breakerReason } from './breaker.ts'
import { type BreakerSettings, NO_BREAKERS } from './breaker-settings.ts'
import { STOPPING } from './breaker-states.ts'

export interface BreakerSettingsInForce {
  readonly settings: BreakerSettings
  /** `null`: the organization never set any. */
  readonly updatedAt: Date | null
}

export async function readBreakerSettings(db: Database | Tx, organizationId: number): Promise<BreakerSettingsInForce> {
  const row = await db
    .selectFrom('breaker_settings')
    .select(['settings', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row ? { settings: row.settings, updatedAt: row.updated_at } : { settings: NO_BREAKERS, updatedAt: null }
}

/** A breaker with the name of its strategy. */
export type NamedBreaker = Breaker & { readonly strategyName: string }

/** The breakers of an organization that are not closed, by strategy and kind. */
export async function listBreakers(db: Database, organizationId: number): Promise<NamedBreaker[]> {
  const rows = await db
    .selectFrom('circuit_breakers')
    .innerJoin('strategies', 'strategies.id', 'circuit_breakers.strategy_id')
    .selectAll('circuit_breakers')
    .select('strategies.name as strategy_name')
    .where('organization_id', '=', organizationId)
    .where('state', '<>', 'closed')
    .orderBy('strategy_id')
    .orderBy('kind')
    .execute()
  return rows.map((row) => ({ ...breakerFrom(row), strategyName: row.strategy_name }))
}

/** A strategy into which Weir makes no deposit of its own for an organization. */
export interface StoppedStrategy {
  /** Why its breakers stop deposits, as a text for people. */
  readonly reason: string
  /** Whether the rebalancer withdraws whatever is in it. */
  readonly withdraw: boolean
  /** When the last of them opened. */
  readonly since: Date
}

/** The warning for a deposit despite an open breaker; undefined where nothing stops deposits. */
export function depositWarning(stopped: StoppedStrategy | undefined): string | undefined {
  return stopped && `For this strategy ${stopped.reason}.`
}

/** The strategies whose breakers stop deposits of an organization, by id. One prepared statement. */
export async function stoppedStrategies(
  db: Database | Tx,
  organizationId: number,
): Promise<ReadonlyMap<number, StoppedStrategy>> {
  const rows = (await runPrepared(
    db,
    'strategies with open breakers',
    sql`
      select b.*, coalesce((s.settings ->> 'withdraw')::boolean, false) as withdraw
      from circuit_breakers b
      left join breaker_settings s on s.organization_id = b.organization_id
      where b.organization_id = ${organizationId} and b.state = any(${STOPPING}::text[])
      order by b.strategy_id, b.kind`,
  )) as (Parameters<typeof breakerFrom>[0] & { readonly withdraw: boolean })[]
  const stopped = new Map<number, StoppedStrategy>()
  for (const row of rows) {
    const reason = [stopped.get(row.strategy_id)?.reason, breakerReason(breakerFrom(row))].filter(Boolean).join('; ')
    const before = stopped.get(row.strategy_id)?.since
    const opened = row.opened_at ?? row.updated_at
    const since = before && before > opened ? before : opened
    stopped.set(row.strategy_id, { reason, withdraw: row.withdraw, since })
  }
  return stopped
}
