import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** SQL: whether the organization withdraws everything from the strategy of the operation `o`, because a breaker is open. */
export const LEAVES = `exists (select 1 from circuit_breakers b
  join breaker_settings g on g.organization_id = b.organization_id
  where b.organization_id = o.organization_id and b.strategy_id = o.strategy_id
    and b.state in ('open', 'recovering') and (g.settings ->> 'withdraw')::boolean)`

/**
 * Weir plans no deployment of its own into a strategy after its circuit breaker opened, and an event announces each
 * opening.
 */
export async function checkBreakers(run: SimulationRun): Promise<void> {
  const { rows } = await run.database.reader.query<{ id: number; strategy_id: number; kind: string }>(
    `select o.id, o.strategy_id, b.kind from operations o
      join circuit_breakers b on b.organization_id = o.organization_id and b.strategy_id = o.strategy_id
      where o.origin = 'rebalancer' and o.type = 'SUPPLY' and b.state in ('open', 'recovering')
        and o.created_at > b.opened_at order by o.id limit 1`,
  )
  const [found] = rows
  if (found)
    throw new Violation(
      `operation ${found.id} deploys into strategy ${found.strategy_id}, whose breaker ${found.kind} is open`,
    )
  const { rows: silent } = await run.database.reader.query<{ strategy_id: number; kind: string }>(
    `select b.strategy_id, b.kind from circuit_breakers b
      where b.state in ('open', 'recovering') and not exists (select 1 from outbox e
        where e.organization_id = b.organization_id and e.event = 'strategy.breaker_opened'
          and e.object_id = b.strategy_id and e.data ->> 'breaker' = b.kind and e.created_at = b.opened_at)`,
  )
  if (silent[0]) throw new Violation(`breaker ${silent[0].kind} of strategy ${silent[0].strategy_id} opened silently`)
}
