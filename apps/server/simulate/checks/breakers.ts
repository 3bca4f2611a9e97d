import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** SQL: whether the organization withdraws everything from the strategy of the operation `o`, because a breaker is open. */
export const LEAVES = `exists (select 1 from circuit_breakers b
  join breaker_settings g on g.organization_id = b.organization_id
  where b.organization_id = o.organization_id and b.strategy_id = o.strategy_id
    and b.state in ('open', 'recovering') and (g.settings ->> 'withdraw')::boolean)`

/** Breakers, and whether the facts that the service read last are outside the settings. */
const CAUSES = {
  name: 'causes of breakers',
  text: `select concat_ws(' ', b.kind, 'of strategy', b.strategy_id) as breaker, b.state, g.settings::text as settings,
      (g.settings ->> 'recoverySeconds')::int as recovery,
      coalesce(case b.kind
        when 'depeg' then abs(t.price - 100000000) > (g.settings ->> 'pegDistanceBps')::numeric * 10000
        when 'price_fall' then s.price * 10000 < (10000 - (g.settings ->> 'priceFallBps')::numeric)
          * (select max(p.price) from strategy_prices p
              where p.strategy_id = s.id and p.read_at > s.price_at - interval '30 days')
        when 'upgrade' then (g.settings ->> 'onUpgrade')::boolean and c.fingerprint <> b.accepted_code
      end, false) as holds
    from circuit_breakers b join breaker_settings g on g.organization_id = b.organization_id
      join strategies s on s.id = b.strategy_id
      left join token_prices t on t.blockchain = s.blockchain and t.token_address = s.token_address
      left join strategy_code c on c.strategy_id = s.id`,
}

interface BreakerRow {
  readonly breaker: string
  readonly state: string
  readonly settings: string
  readonly recovery: number
  /** Whether its cause holds; that of illiquidity is not checked. */
  readonly holds: boolean
}

/** A breaker at the last check, and the last check that saw it open. */
export interface SeenBreaker extends BreakerRow {
  readonly openAt: Date | undefined
}

interface BreakerRun extends SimulationRun {
  readonly breakersSeen: Map<string, SeenBreaker>
}

/**
 * Weir plans no deployment of its own into a strategy after its circuit breaker opened, an event announces each opening,
 * and none closes early.
 */
export async function checkBreakers(run: BreakerRun): Promise<void> {
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
  const { rows: seen } = await run.database.reader.query<BreakerRow>(CAUSES)
  for (const row of seen) checkClosing(run, row)
}

/** It closes when its cause is gone, and its fact was fine for as long as the settings ask. */
function checkClosing({ breakersSeen, clock }: BreakerRun, row: BreakerRow): void {
  const { breaker, state, settings, holds, recovery } = row
  const before = breakersSeen.get(breaker)
  const openAt = state === 'open' ? clock.now() : before?.openAt
  breakersSeen.set(breaker, { ...row, openAt })
  if (!before || before.settings !== settings || before.state === 'closed' || state !== 'closed') return
  if (before.holds && holds) throw new Violation(`breaker ${breaker} closed while its cause holds`)
  const waited = openAt && (clock.now().getTime() - openAt.getTime()) / 1_000
  if (waited !== undefined && waited < recovery)
    throw new Violation(`breaker ${breaker} closed ${waited} s after it was open, and its settings ask for ${recovery}`)
}
