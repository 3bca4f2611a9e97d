import type { SimulationRun } from '../simulation-run.ts'
import { WORTH_A_MOVE } from './treasury-quiescence.ts'

/**
 * Describes what is left of a position whose circuit breaker withdraws everything. `undefined`: a breaker is open, and
 * all of its positions in operational wallets are empty but for dust, except in strategies whose moves agents refuse, by
 * their keys.
 */
export async function findLeftBehind(
  { database }: SimulationRun,
  refused: readonly string[] = [],
): Promise<string | undefined> {
  const { rows: open } = await database.reader.query<{ kind: string }>(
    `select kind from circuit_breakers where state in ('open', 'recovering') limit 1`,
  )
  if (!open[0]) return 'no breaker is open'
  const { rows } = await database.reader.query<{ id: number; value: string; kind: string }>(
    `select p.id, p.posted_value::text as value, b.kind from circuit_breakers b
      join breaker_settings g on g.organization_id = b.organization_id and (g.settings ->> 'withdraw')::boolean
      join allocations p on p.organization_id = b.organization_id and p.strategy_id = b.strategy_id
      join strategies s on s.id = p.strategy_id
      join operational_wallets ow on ow.organization_id = p.organization_id and ow.wallet_id = p.wallet_id
        and ow.token_address = s.token_address
      where b.state in ('open', 'recovering') and p.posted_value >= $1 and s.key <> all($2::text[]) order by p.id limit 1`,
    [WORTH_A_MOVE.toString(), refused],
  )
  const [left] = rows
  return left && `breaker ${left.kind} leaves ${left.value} in position ${left.id}`
}
