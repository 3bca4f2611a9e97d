import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { strategyById } from '../../venues/index.ts'
import { scheduleTokenEvaluations } from '../../wallets/index.ts'
import type { RebalanceParts } from '../parts.ts'

/** The largest share of an organization's holdings of a token on a chain that one strategy may have (contract 10). */
export interface StrategyCap {
  readonly strategyId: number
  readonly strategyName: string
  /** Hundredths of a percent, 0 to 10,000; `null`: no cap. */
  readonly shareBps: number | null
  readonly updatedAt: Date
}

export async function listCaps({ db }: Pick<RebalanceParts, 'db'>, organizationId: number): Promise<StrategyCap[]> {
  const rows = await db
    .selectFrom('strategy_caps')
    .innerJoin('strategies', 'strategies.id', 'strategy_caps.strategy_id')
    .select(['strategy_id', 'strategies.name', 'share_bps', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('strategy_id')
    .execute()
  return rows.map((row) => ({
    strategyId: row.strategy_id,
    strategyName: row.name,
    shareBps: row.share_bps,
    updatedAt: row.updated_at,
  }))
}

export interface SetCapInput {
  readonly organizationId: number
  readonly strategyId: number
  /** `null` removes the cap. */
  readonly shareBps: number | null
}

/**
 * Sets or removes the organization's cap on a strategy. Deployed funds stay where they are; the operational wallets of
 * that token are evaluated again. Error: STRATEGY_NOT_FOUND.
 */
export async function setCap(
  parts: Pick<RebalanceParts, 'db' | 'clock'>,
  { organizationId, strategyId, shareBps }: SetCapInput,
  transact: Transact<StrategyCap> = transactOn(parts.db),
): Promise<StrategyCap> {
  const strategy = await strategyById(parts.db, strategyId)
  if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
  return transact(async (tx) => {
    const at = parts.clock.now()
    if (shareBps === null) {
      await tx
        .deleteFrom('strategy_caps')
        .where('organization_id', '=', organizationId)
        .where('strategy_id', '=', strategyId)
        .execute()
    } else {
      const cap = { organization_id: organizationId, strategy_id: strategyId, share_bps: shareBps, updated_at: at }
      await tx
        .insertInto('strategy_caps')
        .values(cap)
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'strategy_id']).doUpdateSet({ share_bps: shareBps, updated_at: at }),
        )
        .execute()
    }
    await scheduleTokenEvaluations(tx, { organizationId, tokenAddress: strategy.tokenAddress }, at)
    return { strategyId, strategyName: strategy.name, shareBps, updatedAt: at }
  })
}
