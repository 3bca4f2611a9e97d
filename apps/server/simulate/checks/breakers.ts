import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'
import { acceptedBy, checkReopening, isNews, isWorse } from './accepted-breakers.ts'
import type { BreakerRow, SeenBreaker } from './breaker-row.ts'

/** SQL: whether the organization withdraws everything from the strategy of the operation `o`, because a breaker is open. */
export const LEAVES = `exists (select 1 from circuit_breakers b
  join breaker_settings g on g.organization_id = b.organization_id
  where b.organization_id = o.organization_id and b.strategy_id = o.strategy_id
    and b.state in ('open', 'recovering') and (g.settings ->> 'withdraw')::boolean)`

/** An older fact is not demanded to open a breaker: the service may no longer count it. */
const FRESH_SECONDS = 1_800

/**
 * SQL: what an organization's positions in the strategy `s` are worth, and could pay at most, where both are known: an
 * upper bound of what is payable. `positions`: which of them count, of the allocations `a` with their value in `settled`.
 */
export const readPositions = (organization: string, positions = 'true'): string =>
  `select sum(p.value) as value, sum(least(p.withdrawable, p.value)) as payable from (
    select a.withdrawable, coalesce(a.withdrawable_of, settled.value) as value from allocations a
    cross join lateral (select case when s.price_at >= a.posted_at and a.posted_price > 0
      then div(a.posted_value * s.price, a.posted_price) else a.posted_value end as value) settled
    where a.organization_id = ${organization} and a.strategy_id = s.id and a.status <> 'CLOSED'
      and a.withdrawable is not null and ${positions} and s.protocol not in ('erc7540', 'cooldown-vault')
  ) p`

/** SQL: the highest daily price of the strategy `s` in 30 days. */
export const PEAK = `select max(p.price) from strategy_prices p
  where p.strategy_id = s.id and p.read_at > s.price_at - interval '30 days'`

/**
 * Breakers, those that never opened included, and whether the facts that the service read last are outside the settings.
 * `known`: whether the fact is recent. `measure`: as the settings measure it, in hundredths of a percent.
 */
const CAUSES = {
  name: 'causes of breakers',
  text: `select concat_ws(' ', k.kind, 'of strategy', s.id) as breaker, coalesce(b.state, 'closed') as state,
      g.settings::text as settings, (g.settings ->> 'recoverySeconds')::int as recovery, coalesce(k.holds, false) as holds,
      coalesce(k.known, false) as known, k.kind, k.measure::float8 as measure, k.threshold::float8 as threshold,
      c.fingerprint as code, (select e.data ->> 'observation' from outbox e
        where e.organization_id = g.organization_id and e.event = 'strategy.breaker_opened' and e.object_id = s.id
          and e.data ->> 'breaker' = k.kind order by e.id desc limit 1) as announced
    from breaker_settings g cross join strategies s
      left join token_prices t on t.blockchain = s.blockchain and t.token_address = s.token_address
      left join strategy_code c on c.strategy_id = s.id
      left join circuit_breakers u
        on u.organization_id = g.organization_id and u.strategy_id = s.id and u.kind = 'upgrade'
      left join lateral (${readPositions('g.organization_id', 'settled.value > 0')}) own on true
      cross join lateral (values
        ('depeg', abs(t.price - 100000000) > (g.settings ->> 'pegDistanceBps')::numeric * 10000,
          t.read_at > $1::timestamptz and t.priced_at > s.price_at - interval '1 day',
          ceil(abs(t.price - 100000000) / 10000), (g.settings ->> 'pegDistanceBps')::numeric),
        ('price_fall', s.price * 10000 < (10000 - (g.settings ->> 'priceFallBps')::numeric) * (${PEAK}), true,
          greatest(ceil(((${PEAK}) - s.price) * 10000 / nullif((${PEAK}), 0)), 0),
          (g.settings ->> 'priceFallBps')::numeric),
        ('upgrade', (g.settings ->> 'onUpgrade')::boolean and c.fingerprint <> u.accepted_code, true, null, null),
        ('illiquidity', own.payable * 10000 < (g.settings ->> 'withdrawableShareBps')::numeric * own.value, true,
          null, null)
      ) k (kind, holds, known, measure, threshold)
      left join circuit_breakers b on b.organization_id = g.organization_id and b.strategy_id = s.id and b.kind = k.kind
    order by s.id, k.kind`,
}

interface BreakerRun extends SimulationRun {
  readonly breakersSeen: Map<string, SeenBreaker>
}

/**
 * Weir plans no deployment of its own into a strategy after its circuit breaker opened, an event announces each opening
 * and each end, and none closes early.
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
  for (const row of await readBreakers(run)) {
    const before = run.breakersSeen.get(row.breaker)
    checkReopening(before, row)
    checkClosing(run, row)
  }
  // Last: what closed too early is named as that.
  const { rows: ended } = await run.database.reader.query<{ strategy_id: number; kind: string; state: string }>(
    `select b.strategy_id, b.kind, b.state from circuit_breakers b
      where b.state in ('closed', 'accepted') and 'strategy.breaker_opened' = (select e.event from outbox e
        where e.organization_id = b.organization_id and e.object_id = b.strategy_id and e.data ->> 'breaker' = b.kind
          and e.event in ('strategy.breaker_opened', 'strategy.breaker_closed') order by e.id desc limit 1)`,
  )
  if (ended[0])
    throw new Violation(`breaker ${ended[0].kind} of strategy ${ended[0].strategy_id} is ${ended[0].state} silently`)
}

async function readBreakers({ database, clock }: SimulationRun): Promise<readonly BreakerRow[]> {
  const from = new Date(clock.now().getTime() - FRESH_SECONDS * 1_000)
  return (await database.reader.query<BreakerRow>({ ...CAUSES, values: [from] })).rows
}

/** After an evaluation: a breaker whose cause holds, or became worse than a person accepted, and that is not open. */
export async function findUnopened(run: BreakerRun): Promise<string | undefined> {
  const rows = await readBreakers(run)
  return rows.find((row) => {
    if (!row.known || !row.holds || row.state === 'open') return false
    return row.state !== 'accepted' || isWorse(run.breakersSeen.get(row.breaker)?.accepted, row)
  })?.breaker
}

/** After an evaluation: an open breaker whose fact is worse than what its last event announced. */
export async function findUnannounced(run: BreakerRun): Promise<string | undefined> {
  return (await readBreakers(run)).find((row) => row.known && row.holds && row.state === 'open' && isNews(row))?.breaker
}

/** It closes when its cause is gone, and its fact was fine for as long as the settings ask. */
function checkClosing({ breakersSeen, clock }: BreakerRun, row: BreakerRow): void {
  const { breaker, state, settings, holds, recovery } = row
  const before = breakersSeen.get(breaker)
  const openAt = state === 'open' ? clock.now() : state === 'accepted' ? undefined : before?.openAt
  breakersSeen.set(breaker, { ...row, openAt, accepted: acceptedBy(before, row) })
  // A person may accept while it recovers, which closes it.
  if (!before || before.isAsked || before.settings !== settings || before.state === 'closed' || state !== 'closed')
    return
  if (before.holds && holds) throw new Violation(`breaker ${breaker} closed while its cause holds`)
  const waited = openAt && (clock.now().getTime() - openAt.getTime()) / 1_000
  if (waited !== undefined && waited < recovery)
    throw new Violation(`breaker ${breaker} closed ${waited} s after it was open, and its settings ask for ${recovery}`)
}
