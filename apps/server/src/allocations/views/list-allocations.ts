import { type AllocationStatus, type Database, selectCount, type Tx } from '../../database/index.ts'
import { averageApy, toSumUnits } from '../../kernel/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import { positionPages } from '../positions/position-pages.ts'
import { presentValue } from '../positions/present-value.ts'
import { type AllocationRow, type AllocationView, selectAllocations, toAllocationView } from './allocation-view.ts'

export interface AllocationFilter {
  readonly statuses: readonly AllocationStatus[]
  /** Symbol, in the catalogue's spelling. */
  readonly token?: string | undefined
  /** Only allocations of this wallet in this token. */
  readonly of?: Pick<OperationalWallet, 'walletId' | 'tokenAddress'> | undefined
}

/** Totals of all open positions that match the filter, whatever its status. Amounts as sums over tokens. */
export interface PortfolioSummary {
  /** Principal of all open positions. */
  readonly deployed: bigint
  readonly value: bigint
  readonly yieldEarned: bigint
  /** Decimal fraction, weighted by value; 0 without positions. */
  readonly averageApy: number
  /** The number of ACTIVE positions. */
  readonly active: number
}

export interface AllocationPage {
  readonly allocations: readonly AllocationView[]
  readonly total: number
  readonly portfolio: PortfolioSummary
}

interface AllocationPageRequest {
  readonly limit: number
  readonly offset: number
  /** Only allocations with a lower id. */
  readonly before?: number | undefined
}

/** A page of an organization's allocations, newest first, and its portfolio (spec 4.4, contract 7). */
export async function listAllocations(
  db: Database,
  organizationId: number,
  filter: AllocationFilter,
  page: AllocationPageRequest,
): Promise<AllocationPage> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const rows = await allocationPage(tx, organizationId, filter, page).execute()
      return {
        allocations: rows.flatMap((row) => (row.id === null ? [] : [toAllocationView(row as AllocationRow)])),
        total: rows[0]?.total ?? 0,
        portfolio: await portfolioOf(tx, organizationId, filter),
      }
    })
}

/** Finds the ids of a page from an index before reading any row: skipping is cheap. */
export function allocationPage(
  db: Database | Tx,
  organizationId: number,
  { statuses, token, of }: AllocationFilter,
  page: AllocationPageRequest,
) {
  let ids = db
    .selectFrom('allocations')
    .select('allocations.id')
    .where('allocations.organization_id', '=', organizationId)
    .where('allocations.status', 'in', statuses)
  if (of) ids = ids.where('allocations.wallet_id', '=', of.walletId)
  if (token !== undefined || of) {
    let strategies = db.selectFrom('strategies').select('strategies.id')
    if (token !== undefined) strategies = strategies.where('strategies.token', '=', token)
    if (of) strategies = strategies.where('strategies.token_address', '=', of.tokenAddress)
    ids = ids.where('allocations.strategy_id', 'in', strategies)
  }
  const counted = of
    ? ids.clearSelect().select(({ fn }) => fn.countAll<number>().as('total'))
    : selectCount(db, {
        entity: 'allocations',
        organizationId,
        walletProfileId: null,
        kinds: token === undefined ? undefined : [token],
        states: statuses,
      })
  const following = page.before === undefined ? ids : ids.where('allocations.id', '<', page.before)
  const paged = following.orderBy('allocations.id', 'desc').limit(page.limit).offset(page.offset)
  const shown = selectAllocations(db, organizationId).where('allocations.id', 'in', paged)
  // The count is the left side of the join, so that a page past the end still reports it.
  return db
    .selectFrom(counted.as('counted'))
    .leftJoin(shown.as('shown'), (join) => join.onTrue())
    .selectAll()
    .orderBy('shown.id', 'desc')
}

async function portfolioOf(
  tx: Tx,
  organizationId: number,
  { token, of }: Pick<AllocationFilter, 'token' | 'of'>,
): Promise<PortfolioSummary> {
  let query = tx
    .selectFrom('allocations')
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .select([
      'allocations.id',
      'allocations.status',
      'allocations.principal',
      'allocations.shares',
      'allocations.posted_price',
      'allocations.posted_value',
      'allocations.posted_at',
      'strategies.protocol',
      'strategies.price',
      'strategies.price_at',
      'strategies.token_decimals',
      'strategies.apy',
    ])
    .where('allocations.organization_id', '=', organizationId)
    .where('allocations.status', 'in', ['ACTIVE', 'UNWINDING'])
  if (token !== undefined) query = query.where('strategies.token', '=', token)
  if (of) {
    query = query
      .where('allocations.wallet_id', '=', of.walletId)
      .where('strategies.token_address', '=', of.tokenAddress)
  }
  const sums = { deployed: 0n, value: 0n, active: 0 }
  /** The value of what earns a rate. */
  const rates = new Map<number, bigint>()
  const read = (after: number, limit: number) =>
    query.where('allocations.id', '>', after).orderBy('allocations.id').limit(limit).execute()
  for await (const page of positionPages(read)) {
    for (const row of page) {
      const value = toSumUnits(presentValue(row).value, row.token_decimals)
      sums.deployed += toSumUnits(row.principal, row.token_decimals)
      sums.value += value
      sums.active += row.status === 'ACTIVE' ? 1 : 0
      rates.set(row.apy, (rates.get(row.apy) ?? 0n) + value)
    }
  }
  return {
    ...sums,
    yieldEarned: sums.value - sums.deployed,
    averageApy: averageApy([...rates].map(([apy, value]) => ({ apy, value }))),
  }
}
