import { sql } from 'kysely'
import { stoppedStrategies } from '../../breakers/index.ts'
import { extendTransact, preparedQuery, type Transact, type Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { Operation } from '../../operations/index.ts'
import type { RebalanceSettings } from '../settings.ts'
import { isUnlimited } from './deposit-limits.ts'
import { readCapUsage } from './read-cap-usage.ts'
import { limitsOf, readHeadrooms } from './read-headroom.ts'

/**
 * Guards the organization's circuit breakers, caps and limits. Several wallets that are evaluated together each see the
 * same headroom. This decorator therefore checks them again in the transaction that plans the deployment, one
 * transaction at a time per cap, and per organization with limits (contract 10).
 *
 * Throws AMOUNT_OUT_OF_BOUNDS, and nothing is planned.
 */
export function enforceCap(
  settings: Pick<RebalanceSettings, 'depositLimits'>,
  transact: Transact<Operation>,
): Transact<Operation> {
  return extendTransact(transact, async (tx, operation: Operation) => {
    if (operation.type === 'SUPPLY' && operation.state !== 'REJECTED') {
      await requireNotStopped(tx, operation)
      await requireWithinCap(tx, operation)
      await requireWithinLimits(tx, settings, operation)
    }
    return operation
  })
}

async function requireNotStopped(tx: Tx, { organizationId, strategyId }: Operation): Promise<void> {
  const stopped = (await stoppedStrategies(tx, organizationId)).get(strategyId)
  if (!stopped) return
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', { message: `The strategy accepts no deposits now: ${stopped.reason}.` })
}

const lockCap = preparedQuery('lock cap', (db, place: (name: 'organizationId' | 'strategyId') => never) =>
  db
    .selectFrom('strategy_caps')
    .select('strategy_id')
    .where('organization_id', '=', place('organizationId'))
    .where('strategy_id', '=', place('strategyId'))
    .forUpdate(),
)

async function requireWithinCap(tx: Tx, { organizationId, strategyId }: Operation): Promise<void> {
  const [cap] = await lockCap(tx, { organizationId, strategyId })
  if (!cap) return
  const [found] = await readCapUsage(tx, organizationId, strategyId)
  if (!found || found.used <= found.limit) return
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', { message: "The organization's share in the strategy is at its cap." })
}

/**
 * The lock comes before the limits are read: a change of them that commits meanwhile counts for the next plan, and of two
 * plans the second one sees the first. The defaults have no row to lock, so the lock is an advisory one, the last that a
 * plan takes.
 */
async function requireWithinLimits(
  tx: Tx,
  settings: Pick<RebalanceSettings, 'depositLimits'>,
  { organizationId, strategyId }: Operation,
): Promise<void> {
  if (isUnlimited(await limitsOf(tx, settings, organizationId))) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`deposit limits ${organizationId}`}, 0))`.execute(tx)
  const limits = await limitsOf(tx, settings, organizationId)
  if (isUnlimited(limits)) return
  const headroom = (await readHeadrooms(tx, limits, organizationId)).get(strategyId)
  if (!headroom || headroom.amount >= 0n) return
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', { message: `The strategy accepts no deposits now: ${headroom.because}.` })
}
