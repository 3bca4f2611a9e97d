import { sql } from 'kysely'
import type { OpenAllocation, Position } from '../../../allocations/index.ts'
import type { Block } from '../../../chains/index.ts'
import type { Tx } from '../../../database/index.ts'
import { apyFromGain } from '../../../kernel/index.ts'
import type { Operation } from '../../lifecycle/states/operation.ts'

/** Scale of a ratio of base units: twelve digits after the point. */
const PRECISION = 1_000_000_000_000n

/** The rate that a completed operation realized (contract 1: `actualAPY`), a decimal fraction. */
export interface ActualApy {
  readonly operation: Pick<Operation, 'organizationId' | 'operationId'>
  /** `null` leaves the stored rate. */
  readonly apy: number | null
}

/** Stores the rates of operations, in one statement. */
export async function recordActualApys(tx: Tx, rates: readonly ActualApy[]): Promise<void> {
  await sql`
    update operations o set actual_apy = coalesce(r.apy, o.actual_apy)
    from unnest(${rates.map(({ operation }) => operation.organizationId)}::bigint[],
      ${rates.map(({ operation }) => operation.operationId)}::bigint[],
      ${rates.map(({ apy }) => apy)}::float8[]) as r(organization_id, id, apy)
    where o.organization_id = r.organization_id and o.id = r.id
  `.execute(tx)
}

export interface WithdrawnPart {
  readonly before: Pick<Position, 'principal'>
  readonly after: Pick<Position, 'principal'>
  readonly assets: bigint
  readonly allocation: Pick<OpenAllocation, 'openedAt'> | undefined
  readonly block: Pick<Block, 'time'>
}

/**
 * The APY of a withdrawal: the gain on the withdrawn principal over the time that the position has been open. `null` if
 * no principal was withdrawn.
 */
export function withdrawnApy({ before, after, assets, allocation, block }: WithdrawnPart): number | null {
  const withdrawn = before.principal - after.principal
  const openMs = allocation ? block.time.getTime() - allocation.openedAt.getTime() : 0
  if (withdrawn <= 0n || openMs <= 0) return null
  const gain = Number(((assets - withdrawn) * PRECISION) / withdrawn) / Number(PRECISION)
  return apyFromGain(gain, openMs)
}
