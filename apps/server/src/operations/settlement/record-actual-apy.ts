import type { Allocation, Position } from '../../allocations/index.ts'
import type { Block } from '../../chains/index.ts'
import { apyFromGain } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import type { SettlementContext } from './settlement-context.ts'

/** Scale of a ratio of base units: twelve digits after the point. */
const PRECISION = 1_000_000_000_000n

/** Stores the rate that a completed operation realized (contract 1: `actualAPY`), a decimal fraction. */
export async function recordActualApy(
  { tx }: Pick<SettlementContext, 'tx'>,
  { organizationId, operationId }: Operation,
  apy: number | null,
): Promise<void> {
  if (apy === null) return
  await tx
    .updateTable('operations')
    .set({ actual_apy: apy })
    .where('organization_id', '=', organizationId)
    .where('id', '=', operationId)
    .execute()
}

export interface WithdrawnPart {
  readonly before: Pick<Position, 'principal'>
  readonly after: Pick<Position, 'principal'>
  readonly assets: bigint
  readonly allocation: Pick<Allocation, 'openedAt'> | undefined
  readonly block: Pick<Block, 'time'>
}

/**
 * The APY of a withdrawal: the gain on the withdrawn principal over the time that the position has been open. `null` if no principal was withdrawn.
 */
export function withdrawnApy({ before, after, assets, allocation, block }: WithdrawnPart): number | null {
  const withdrawn = before.principal - after.principal
  const openMs = allocation ? block.time.getTime() - allocation.openedAt.getTime() : 0
  if (withdrawn <= 0n || openMs <= 0) return null
  const gain = Number(((assets - withdrawn) * PRECISION) / withdrawn) / Number(PRECISION)
  return apyFromGain(gain, openMs)
}
