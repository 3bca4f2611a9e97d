import { REBALANCE_AFTER_REJECTION_MS } from '../../src/kernel/index.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/**
 * A withdrawal that a circuit breaker asks for, and that a person rejected, is not asked for again within a day, unless
 * something changed: another breaker opened, or the wallet's settings, the policy or the catalogue are others.
 */
export async function checkRejections(run: SimulationRun): Promise<void> {
  const { rows } = await run.database.reader.query<{ id: number; rejected: number }>(
    `select o.id, r.id as rejected from operations o
      join operational_wallets ow on ow.organization_id = o.organization_id and ow.id = o.op_wallet_id
      join lateral (
        select b.id, b.state, b.created_at, b.completed_at, b.catalogue_fingerprint from operations b
        where b.organization_id = o.organization_id and b.op_wallet_id = o.op_wallet_id and b.id < o.id
          and b.strategy_id = o.strategy_id and b.purpose = 'evacuation' and b.state in ('REJECTED', 'COMPLETED')
        order by b.id desc limit 1
      ) r on r.state = 'REJECTED' and r.catalogue_fingerprint = o.catalogue_fingerprint
      where o.purpose = 'evacuation' and o.created_at < r.completed_at + $1 * interval '1 millisecond'
        and ow.updated_at < r.created_at
        and not exists (select 1 from approval_policies p
          where p.organization_id = o.organization_id and p.created_at > r.completed_at)
        and not exists (select 1 from circuit_breakers b where b.organization_id = o.organization_id
          and b.strategy_id = o.strategy_id and b.opened_at > r.completed_at)
      order by o.id limit 1`,
    [REBALANCE_AFTER_REJECTION_MS],
  )
  const [found] = rows
  if (found)
    throw new Violation(`operation ${found.id} withdraws for a circuit breaker what a person kept: ${found.rejected}`)
}
