import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** Weir plans no deployment of its own into a strategy that the organization's allow-list leaves out, or caps at nothing. */
export async function checkLimits(run: SimulationRun): Promise<void> {
  const { rows } = await run.database.reader.query<{ id: number; strategy_id: number }>(
    `select o.id, o.strategy_id from operations o join deposit_limits l on l.organization_id = o.organization_id
      where o.origin = 'rebalancer' and o.type = 'SUPPLY' and o.created_at > l.updated_at
        and (not l.limits -> 'allowedStrategies' @> to_jsonb(o.strategy_id) and l.limits ->> 'allowedStrategies' is not null
          or l.limits -> 'caps' @> jsonb_build_array(jsonb_build_object('of', o.strategy_id::text, 'shareBps', 0)))
      order by o.id limit 1`,
  )
  const [found] = rows
  if (found)
    throw new Violation(`operation ${found.id} deploys into strategy ${found.strategy_id}, which the limits rule out`)
}
