import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'
import { PEAK, readPositions } from './breakers.ts'

interface Cap {
  readonly kind: 'strategy' | 'protocol' | 'blockchain'
  readonly of: string
  readonly shareBps: number
}

interface Limits {
  readonly allowedStrategies: readonly number[] | null
  readonly caps: readonly Cap[]
  readonly poolShareBps: number | null
  readonly liquidityShareBps: number | null
  readonly priceFallBps?: number | null
  readonly withdrawableShareBps?: number | null
}

const NO_LIMITS: Limits = { allowedStrategies: null, caps: [], poolShareBps: null, liquidityShareBps: null }

/** What the service read last of a strategy, and what the organization has in it. Base units. */
interface Use {
  readonly id: number
  readonly protocol: string
  readonly blockchain: string
  readonly tvl: string | null
  readonly liquidity: string | null
  readonly price: string | null
  /** The highest daily price of 30 days. */
  readonly peak: string | null
  /** What is known of the organization's positions: their value, and what they could pay at most. */
  readonly read: string
  readonly payable: string
  /** The share of the organization's tokens of this kind that it may have here, if that is capped; and all of these. */
  readonly shareBps: number | null
  readonly ofToken: string
  /** Deposits in flight are not included. */
  readonly inside: string
}

/**
 * The treasury's facts. All tokens of the simulation have as many decimals, so their amounts add up. An ordinary plan
 * changes none of them: money that is reserved still belongs to the whole.
 */
const FACTS = {
  name: 'facts of deposit limits',
  text: `with positions as (
      select a.strategy_id, s.token_address, case when s.price_at >= a.posted_at and a.posted_price > 0
        then div(a.posted_value * s.price, a.posted_price) else a.posted_value end as value
      from allocations a join strategies s on s.id = a.strategy_id where a.organization_id = $1 and a.status <> 'CLOSED'
    )
    select (select limits from deposit_limits where organization_id = $1) as limits,
      ((select coalesce(sum(available + reserved + exiting), 0) from ledger_balances where organization_id = $1)
        + (select coalesce(sum(value), 0) from positions))::text as whole,
      (select json_agg(json_build_object('id', s.id, 'protocol', s.protocol, 'blockchain', s.blockchain,
        'tvl', s.tvl::text, 'liquidity', s.liquidity::text, 'price', s.price::text, 'peak', (${PEAK})::text,
        'read', coalesce(own.value, 0)::text, 'payable', coalesce(own.payable, 0)::text,
        'shareBps', (select share_bps from strategy_caps c where c.organization_id = $1 and c.strategy_id = s.id),
        'ofToken', ((select coalesce(sum(available + reserved + exiting), 0) from ledger_balances
            where organization_id = $1 and token_address = s.token_address)
          + (select coalesce(sum(value), 0) from positions where token_address = s.token_address))::text,
        'inside', ((select coalesce(sum(value), 0) from positions where strategy_id = s.id)
          + (select coalesce(sum(pending + claimable), 0) from exits
            where organization_id = $1 and strategy_id = s.id and state <> 'claimed'))::text) order by s.id)
        from strategies s left join lateral (${readPositions('$1')}) own on true) as uses`,
}

interface Facts {
  readonly limits: Limits | null
  readonly whole: string
  readonly uses: readonly Use[]
}

/** What Weir chose to deposit: on its own, or because nobody named a strategy. With it, by strategy: all in flight by then. */
const DEPOSITS = {
  name: 'deposits that limits bound',
  text: `select o.id::float8 as id, o.strategy_id::float8 as "strategyId", coalesce((
      select json_object_agg(strategy_id, amount) from (
        select p.strategy_id, sum(r.amount)::text as amount from reservations r
          join operations p on p.organization_id = r.organization_id and p.id = r.operation_id
        where p.organization_id = o.organization_id and p.id <= o.id and r.released_at is null group by 1) parts
      ), '{}') as flying
    from operations o where o.organization_id = $1 and o.id > $2 and o.type = 'SUPPLY' and o.state <> 'REJECTED'
      and (o.origin = 'rebalancer' or o.reasons -> 'weighed' is not null) order by o.id`,
}

interface Deposit {
  readonly id: number
  readonly strategyId: number
  readonly flying: Readonly<Record<string, string>>
}

/** What the last check of limits has seen. */
export interface SeenLimits {
  deposit: number
  facts: string | undefined
}

interface LimitedRun extends SimulationRun {
  readonly limitsSeen: SeenLimits
}

/** Protocols whose withdrawals take time. */
const SLOW: ReadonlySet<string> = new Set(['erc7540', 'cooldown-vault'])

/**
 * Weir makes no deposit of its own choice that the organization's limits rule out, nor one into a vault that pays later and
 * is not named. A share bounds a deposit when it is planned, together with all that was in flight by then: prices and
 * movements may exceed it later. So only what was planned since the last check is judged, and by shares only where the
 * facts are still the same, to the unit, and no page was evaluated on those of a moment before.
 */
export async function checkLimits(run: LimitedRun): Promise<void> {
  const { database, limitsSeen, organizations } = run
  const organizationId = organizations[0]
  const { rows } = await database.reader.query<Facts>({ ...FACTS, values: [organizationId] })
  const { limits, whole, uses } = rows[0]!
  const now = JSON.stringify([whole, uses])
  const areSame = limitsSeen.facts === now && !run.pagesOverlap
  limitsSeen.facts = now
  const { rows: deposits } = await database.reader.query<Deposit>({
    ...DEPOSITS,
    values: [organizationId, limitsSeen.deposit],
  })
  for (const deposit of deposits) {
    limitsSeen.deposit = deposit.id
    const strategy = uses.find(({ id }) => id === deposit.strategyId)!
    const reason =
      whyNever(limits ?? NO_LIMITS, strategy) ??
      (areSame
        ? (whyStopped(limits ?? NO_LIMITS, strategy) ??
          whyTooMuch(limits ?? NO_LIMITS, strategy, { whole: BigInt(whole), uses, deposit }))
        : undefined)
    if (reason !== undefined)
      throw new Violation(
        `operation ${deposit.id} deploys into strategy ${deposit.strategyId}, which the limits rule out: ${reason}`,
      )
  }
}

/** Why a strategy takes no deposit at all. */
function whyNever({ allowedStrategies, caps }: Limits, strategy: Use): string | undefined {
  const { id, protocol } = strategy
  if (allowedStrategies && !allowedStrategies.includes(id)) return 'it is not allowed'
  if (!allowedStrategies && SLOW.has(protocol)) return 'it pays later, and nobody named it'
  return caps.some((cap) => cap.shareBps === 0 && covers(cap, strategy)) ? 'its cap is nothing' : undefined
}

/** Which fact stops every deposit at present. */
function whyStopped({ priceFallBps, withdrawableShareBps }: Limits, strategy: Use): string | undefined {
  const { price, peak, read, payable } = strategy
  const least = (whole: string, bps: number): bigint => (BigInt(whole) * BigInt(bps)) / 10_000n
  const isFallen = priceFallBps != null && price !== null && peak !== null
  if (isFallen && BigInt(price) < least(peak, 10_000 - priceFallBps))
    return `its price of ${price} was ${peak}, and may fall by ${priceFallBps}`
  return withdrawableShareBps != null && BigInt(payable) < least(read, withdrawableShareBps)
    ? `${payable} of a position of ${read} could be withdrawn, which has to be ${withdrawableShareBps}`
    : undefined
}

interface Holdings {
  readonly whole: bigint
  readonly uses: readonly Use[]
  readonly deposit: Deposit
}

/** Which share the deposit exceeds. */
function whyTooMuch(limits: Limits, strategy: Use, { whole, uses, deposit }: Holdings): string | undefined {
  const insideOf = ({ id, inside }: Use): bigint => BigInt(inside) + BigInt(deposit.flying[id] ?? 0)
  const isWithin = (inside: bigint, of: bigint, bps: number) => inside * 10_000n <= of * BigInt(bps)
  for (const cap of limits.caps.filter((one) => covers(one, strategy))) {
    const inside = uses.filter((use) => covers(cap, use)).reduce((sum, use) => sum + insideOf(use), 0n)
    if (!isWithin(inside, whole, cap.shareBps))
      return `${inside} of ${whole} are in ${cap.kind} ${cap.of}, capped at ${cap.shareBps}`
  }
  const { poolShareBps, liquidityShareBps } = limits
  const inside = insideOf(strategy)
  const { shareBps, ofToken } = strategy
  if (shareBps !== null && !isWithin(inside, BigInt(ofToken), shareBps))
    return `${inside} of ${ofToken} of the token are in it, capped at ${shareBps}`
  // A pool that was never read has nothing to take a share of.
  const tvl = BigInt(strategy.tvl ?? 0)
  if (poolShareBps !== null && !isWithin(inside, tvl, poolShareBps))
    return `${inside} of a pool of ${tvl}, capped at ${poolShareBps}`
  if (liquidityShareBps === null || SLOW.has(strategy.protocol) || strategy.liquidity === null) return undefined
  return isWithin(inside, BigInt(strategy.liquidity), liquidityShareBps)
    ? undefined
    : `${inside} of a liquidity of ${strategy.liquidity}, capped at ${liquidityShareBps}`
}

/** A venue of the simulation is named like its protocol. */
function covers({ kind, of }: Cap, { id, protocol, blockchain }: Use): boolean {
  return of === { strategy: id.toString(), protocol, blockchain }[kind]
}
