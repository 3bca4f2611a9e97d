import type { Allocation, Position } from '../../allocations/index.ts'
import type { Block } from '../../chains/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import type { SettlementContext } from './settle-wallet.ts'

const YEAR_MS = 365 * 86_400_000
/** Of a ratio of base units, so many digits after the point are kept. */
const PRECISION = 1_000_000_000_000n

/** Keeps the rate that a completed operation really got (contract 1: `actualAPY`); a decimal fraction. */
export async function recordActualApy(
  { tx }: SettlementContext,
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

/**
 * The annualized yield of what was withdrawn: what came back for the principal that left, spread over the time that the
 * position has been open, without compounding. `null` for a position that nobody put anything into.
 */
export function withdrawnApy(
  before: Pick<Position, 'principal'>,
  after: Pick<Position, 'principal'>,
  assets: bigint,
  allocation: Pick<Allocation, 'openedAt'> | undefined,
  block: Pick<Block, 'time'>,
): number | null {
  const returned = before.principal - after.principal
  const openMs = allocation ? block.time.getTime() - allocation.openedAt.getTime() : 0
  if (returned <= 0n || openMs <= 0) return null
  const gain = Number(((assets - returned) * PRECISION) / returned) / Number(PRECISION)
  return (gain * YEAR_MS) / openMs
}
