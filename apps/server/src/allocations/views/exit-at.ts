import type { Database } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { type ExitView, exitViewOf, selectExits } from './list-exits.ts'

export interface ExitMoment {
  readonly walletId: number
  readonly strategyId: number
  /** By the chain's clock. */
  readonly at: Date
  /** Which of two exits in the same second: the one that ends, or the one that begins. */
  readonly side: 'ending' | 'beginning'
}

/**
 * The exit of a wallet in a strategy that was open at a moment, or began or ended then; `undefined`: none. Blocks of some
 * chains share a second.
 */
export async function exitAt(
  db: Database,
  scope: Scope,
  { walletId, strategyId, at, side }: ExitMoment,
): Promise<ExitView | undefined> {
  const row = await selectExits(db, scope, { walletId, strategyId })
    .where('exits.opened_at', '<=', at)
    .where(({ or, eb }) => or([eb('exits.claimed_at', 'is', null), eb('exits.claimed_at', '>=', at)]))
    .orderBy('exits.id', side === 'ending' ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && exitViewOf(row)
}
