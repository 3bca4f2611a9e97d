import { preparedQuery, type Tx } from '../../database/index.ts'
import { assert, LIMIT_DRIFT_BPS, mulDivDown } from '../../kernel/index.ts'
import type { Operation, Parts } from '../../operations/index.ts'
import { EXIT_PROTOCOLS } from '../../venues/index.ts'
import { WITHDRAWAL_WAITS } from '../awaited/awaited-withdrawal.ts'
import { isAwaited } from '../awaited/read-awaited.ts'
import type { RebalanceParts } from '../parts.ts'
import { type DepositLimits, defaultLimits, isUnlimited } from './deposit-limits.ts'
import { exitHeadroom, type Headroom, limitHeadrooms } from './headroom.ts'
import { type HeldSums, readHeldSums, wholeOf } from './held-sums.ts'
import { capHeadroom, readCapUsage } from './read-cap-usage.ts'
import { readUses } from './read-headroom.ts'
import { recentSums } from './recent-sums.ts'

type Limiting = Pick<RebalanceParts, 'db' | 'clock' | 'rebalancing'>

/**
 * Why a deployment that was planned may not be made any longer, as {@link Parts.limitReason} asks: a withdrawal from
 * its strategy is awaited, or the organization's caps and limits, under which it was planned, do not allow it now. Its
 * own reservation counts as inside, once. Limits that people changed since bind to the last unit. A share that only
 * drifted ends it once it would be planned again noticeably smaller: otherwise each payment of another wallet would
 * end what fills a limit exactly. A pool that could not be read last stops nothing.
 */
export function limitReasonFor({ db, clock, rebalancing }: Limiting): NonNullable<Parts['limitReason']> {
  return async (tx, deployment) => {
    const { organizationId, strategyId } = deployment
    if (await isAwaited(tx, deployment)) return WITHDRAWAL_WAITS
    const inForce = await readInForce(tx, deployment)
    const limits = inForce.limits ?? defaultLimits(rebalancing)
    const exit = EXIT_PROTOCOLS.includes(inForce.protocol) ? exitHeadroom(strategyId, limits) : undefined
    if (exit) return exit.because
    if (inForce.share_bps === null && isUnlimited(limits)) return undefined
    const read: typeof readHeldSums = (_, organization, now) => readHeldSums(tx, organization, now)
    const sums = await recentSums({ db, clock }, organizationId, read)
    const headrooms = [await capOf(tx, inForce, sums), await limitOf(tx, { limits, sums, strategyId })]
    const allowed = excessAllowed(deployment, inForce)
    return headrooms.find((headroom) => headroom && -headroom.amount > allowed)?.because
  }
}

const limitsOfDeployment = preparedQuery(
  'limits of a deployment',
  (db, place: (name: 'organizationId' | 'strategyId') => never) =>
    db
      .selectFrom('strategies')
      .leftJoin('deposit_limits', (join) => join.on('deposit_limits.organization_id', '=', place('organizationId')))
      .leftJoin('strategy_caps', (join) =>
        join
          .onRef('strategy_caps.strategy_id', '=', 'strategies.id')
          .on('strategy_caps.organization_id', '=', place('organizationId')),
      )
      .select([
        'strategies.id as strategy_id',
        'protocol',
        'blockchain',
        'token_address',
        'limits',
        'deposit_limits.updated_at as limits_set_at',
        'share_bps',
        'strategy_caps.updated_at as cap_set_at',
      ])
      .where('strategies.id', '=', place('strategyId')),
)

async function readInForce(tx: Tx, { organizationId, strategyId }: Operation) {
  const [inForce] = await limitsOfDeployment(tx, { organizationId, strategyId })
  assert(inForce, 'the strategy of an operation is in the catalogue')
  return inForce
}

type InForce = Awaited<ReturnType<typeof readInForce>>

async function capOf(tx: Tx, { share_bps, ...strategy }: InForce, sums: HeldSums): Promise<Headroom | undefined> {
  if (share_bps === null) return undefined
  const [usage] = await readCapUsage(tx, [{ ...strategy, share_bps }], sums)
  return usage && capHeadroom(usage)
}

interface LimitsOfStrategy {
  readonly limits: DepositLimits
  readonly sums: HeldSums
  readonly strategyId: number
}

async function limitOf(tx: Tx, { limits, sums, strategyId }: LimitsOfStrategy): Promise<Headroom | undefined> {
  if (isUnlimited(limits)) return undefined
  const uses = await readUses(tx, sums)
  const strategy = uses.find((use) => use.strategy.id === strategyId)?.strategy
  const known = {
    ...limits,
    ...(strategy?.tvl === null && { poolShareBps: null }),
    ...(strategy?.liquidity === null && { liquidityShareBps: null }),
  }
  return limitHeadrooms(known, uses, wholeOf(sums)).get(strategyId)
}

/** By how many base units the deployment may exceed a limit. */
function excessAllowed({ amount, createdAt }: Operation, { limits_set_at, cap_set_at }: InForce): bigint {
  const isChanged = [limits_set_at, cap_set_at].some((setAt) => setAt !== null && setAt >= createdAt)
  return isChanged || amount === null ? 0n : mulDivDown(amount, LIMIT_DRIFT_BPS, 10_000n)
}
