import { sql } from 'kysely'
import { stoppedStrategies } from '../../breakers/index.ts'
import { extendTransact, preparedQuery, type Transact, type Tx } from '../../database/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import type { Operation } from '../../operations/index.ts'
import { WITHDRAWAL_WAITS } from '../awaited/awaited-withdrawal.ts'
import { isAwaited } from '../awaited/read-awaited.ts'
import type { RebalanceParts } from '../parts.ts'
import { isUnlimited } from './deposit-limits.ts'
import { areOutdated, type HeldSums, readHeldSums } from './held-sums.ts'
import { readCapUsage } from './read-cap-usage.ts'
import { limitsOf, readHeadrooms } from './read-headroom.ts'

type Guarding = Pick<RebalanceParts, 'rebalancing' | 'clock'>

/**
 * Guards the organization's circuit breakers, caps and limits, and withdrawals that somebody awaits. Several wallets
 * that are evaluated together each see the same headroom. This decorator therefore checks them again in the
 * transaction that plans the deployment, one transaction at a time per cap, and per organization with limits (contract
 * 10): on the sums that the page has read, with what was planned since (ADR 184). Without sums, caps and limits that
 * appeared meanwhile read them.
 *
 * Throws AMOUNT_OUT_OF_BOUNDS, and nothing is planned.
 */
export function enforceCap(
  parts: Guarding,
  sums: HeldSums | undefined,
  transact: Transact<Operation>,
): Transact<Operation> {
  return extendTransact(transact, async (tx, operation: Operation) => {
    if (operation.type === 'SUPPLY' && operation.state !== 'REJECTED') {
      const now = parts.clock.now()
      let read = sums && !areOutdated(sums, now) ? sums : undefined
      const sumsIn = async () => {
        read ??= await readHeldSums(tx, operation.organizationId, now)
        assert(read.organizationId === operation.organizationId, 'sums of the organization that deposits')
        return read
      }
      await requireNotStopped(tx, operation)
      await requireNotAwaited(tx, operation)
      await requireWithinCap(tx, sumsIn, operation)
      await requireWithinLimits(tx, { sumsIn, settings: parts.rebalancing }, operation)
    }
    return operation
  })
}

async function requireNotStopped(tx: Tx, { organizationId, strategyId }: Operation): Promise<void> {
  const stopped = (await stoppedStrategies(tx, organizationId)).get(strategyId)
  if (!stopped) return
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', { message: `The strategy accepts no deposits now: ${stopped.reason}.` })
}

/**
 * A request for a withdrawal locks the wallet, as the plan of a deposit does: one of the two sees the other. What people
 * deposit is their choice.
 */
async function requireNotAwaited(tx: Tx, operation: Operation): Promise<void> {
  if (operation.origin !== 'rebalancer' || !(await isAwaited(tx, operation))) return
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', { message: `The strategy accepts no deposits now: ${WITHDRAWAL_WAITS}.` })
}

const lockCap = preparedQuery('lock cap', (db, place: (name: 'organizationId' | 'strategyId') => never) =>
  db
    .selectFrom('strategy_caps')
    .innerJoin('strategies', 'strategies.id', 'strategy_caps.strategy_id')
    .select(['strategy_id', 'share_bps', 'blockchain', 'token_address'])
    .where('organization_id', '=', place('organizationId'))
    .where('strategy_id', '=', place('strategyId'))
    .forUpdate('strategy_caps'),
)

async function requireWithinCap(
  tx: Tx,
  sumsIn: () => Promise<HeldSums>,
  { organizationId, strategyId }: Operation,
): Promise<void> {
  const caps = await lockCap(tx, { organizationId, strategyId })
  if (caps.length === 0) return
  const [found] = await readCapUsage(tx, caps, await sumsIn())
  if (!found || found.used <= found.limit) return
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', { message: "The organization's share in the strategy is at its cap." })
}

interface InForce {
  readonly sumsIn: () => Promise<HeldSums>
  readonly settings: Guarding['rebalancing']
}

/**
 * The lock comes before the limits are read: a change of them that commits meanwhile counts for the next plan, and of two
 * plans the second one sees the first. The defaults have no row to lock, so the lock is an advisory one, the last that a
 * plan takes.
 */
async function requireWithinLimits(
  tx: Tx,
  { sumsIn, settings }: InForce,
  { organizationId, strategyId }: Operation,
): Promise<void> {
  if (isUnlimited(await limitsOf(tx, settings, organizationId))) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`deposit limits ${organizationId}`}, 0))`.execute(tx)
  const limits = await limitsOf(tx, settings, organizationId)
  if (isUnlimited(limits)) return
  const headroom = (await readHeadrooms(tx, limits, await sumsIn())).get(strategyId)
  if (!headroom || headroom.amount >= 0n) return
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', { message: `The strategy accepts no deposits now: ${headroom.because}.` })
}
