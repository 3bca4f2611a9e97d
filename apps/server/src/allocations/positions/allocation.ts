import type { Selectable } from 'kysely'
import type { Schema } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import type { OpenStatus } from './allocation-states.ts'
import type { Position } from './position.ts'

/**
 * A stored position: one wallet in one strategy (contract 8). Only an open allocation has a position; what a closed one
 * keeps is history, which `allocation-view.ts` shows.
 */
export interface OpenAllocation {
  readonly organizationId: number
  readonly allocationId: number
  readonly walletId: number
  readonly strategyId: number
  readonly status: OpenStatus
  readonly position: Position
  /** By the chain's clock: when `position.price` was read. */
  readonly postedAt: Date
  readonly openedAt: Date
}

/**
 * Whether a position was posted at a later time than a block, with a price of then: the lower one at the block is no loss,
 * since that time was counted already.
 */
export function wasPostedAfter(allocation: OpenAllocation | undefined, block: { readonly time: Date }): boolean {
  return allocation !== undefined && allocation.postedAt > block.time
}

export function openAllocationFrom(row: Selectable<Schema['allocations']>): OpenAllocation {
  assert(row.status !== 'CLOSED', 'a closed allocation has no position')
  return {
    organizationId: row.organization_id,
    allocationId: row.id,
    walletId: row.wallet_id,
    strategyId: row.strategy_id,
    status: row.status,
    position: {
      shares: row.shares,
      principal: row.principal,
      value: row.posted_value,
      price: row.posted_price,
      realizedYield: row.realized_yield,
    },
    postedAt: row.posted_at,
    openedAt: row.opened_at,
  }
}
