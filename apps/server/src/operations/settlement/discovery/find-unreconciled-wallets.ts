import { type Selectable, sql } from 'kysely'
import { type Database, runPrepared, type Schema } from '../../../database/index.ts'
import { RECONCILE_BATCH } from '../../../kernel/index.ts'
import { strategiesOnChain } from '../../../venues/index.ts'
import { walletFrom } from '../../../wallets/index.ts'
import type { TouchedWallet } from './touched-wallets.ts'

/**
 * Where the next page continues. A wallet that could not be compared waits until every other one of its organization
 * had its turn, and an organization until every other one had.
 */
export interface ReconciliationTurns {
  readonly afterOrganization: number
  /** The last wallet of each organization whose wallets did not fit into its share. */
  readonly afterWallets: ReadonlyMap<number, number>
}

export const FIRST_TURNS: ReconciliationTurns = { afterOrganization: 0, afterWallets: new Map() }

/** One of a waiting organization's wallets; without one, where all of those that wait are in quarantine. */
type Row = { readonly turn_of: number; readonly organizations: number } & (
  | Selectable<Schema['wallets']>
  | { readonly id: null }
)

/**
 * A page of wallets that are new or marked for reconciliation: of each organization with any its share, so that one with
 * a million delays nobody else. All their tokens and strategies are read.
 */
export async function findUnreconciledWallets(
  db: Database,
  blockchain: string,
  turns: ReconciliationTurns,
): Promise<{ readonly wallets: TouchedWallet[]; readonly next: ReconciliationTurns }> {
  const rows = await unreconciledOnChain(db, blockchain, turns)
  if (rows.length === 0) {
    // Past the last organization: the next page is the first one again.
    const isEmpty = turns.afterOrganization === 0
    return { wallets: [], next: isEmpty ? FIRST_TURNS : { ...turns, afterOrganization: 0 } }
  }
  const strategies = await strategiesOnChain(db, blockchain)
  const wallets = rows.flatMap((row) =>
    row.id === null ? [] : [{ wallet: walletFrom(row), strategies, isComplete: true }],
  )
  return { wallets, next: nextTurns(rows, turns) }
}

function nextTurns(rows: readonly Row[], turns: ReconciliationTurns): ReconciliationTurns {
  const { organizations } = rows[0]!
  const isLastPage = organizations < RECONCILE_BATCH
  const share = Math.floor(RECONCILE_BATCH / organizations)
  // A page with everyone that waits needs to remember nobody else.
  const afterWallets = new Map(isLastPage && turns.afterOrganization === 0 ? [] : turns.afterWallets)
  for (const [organizationId, own] of Map.groupBy(rows, (row) => row.turn_of)) {
    const last = own.at(-1)!.id
    if (last !== null && own.length === share) afterWallets.set(organizationId, last)
    else afterWallets.delete(organizationId)
  }
  return { afterOrganization: isLastPage ? 0 : rows.at(-1)!.turn_of, afterWallets }
}

/**
 * One statement, which looks up one row for each organization with such wallets. Prepared, because every round of every
 * follower runs it and most find nothing.
 */
function unreconciledOnChain(
  db: Database,
  blockchain: string,
  { afterOrganization, afterWallets }: ReconciliationTurns,
): Promise<Row[]> {
  return runPrepared<Row>(
    db,
    'unreconciled wallets',
    sql`
    with recursive listed(organization_id, place) as (
      (select organization_id, 1 from wallets
        where blockchain = ${blockchain} and organization_id > ${afterOrganization} and reconciled_block is null
        order by organization_id limit 1)
      union all
      select next.organization_id, listed.place + 1 from listed cross join lateral (
        select organization_id from wallets
        where blockchain = ${blockchain} and organization_id > listed.organization_id and reconciled_block is null
        order by organization_id limit 1) next
      where listed.place < ${RECONCILE_BATCH}
    ), waiting as materialized (
      select listed.organization_id, coalesce(turn.after_wallet, 0) as after_wallet,
        (count(*) over ())::int as organizations
      from listed left join unnest(${[...afterWallets.keys()]}::bigint[], ${[...afterWallets.values()]}::bigint[])
        as turn(organization_id, after_wallet) on turn.organization_id = listed.organization_id
    )
    select waiting.organization_id as turn_of, waiting.organizations, found.*
    from waiting left join lateral (
      select wallets.* from wallets
      where blockchain = ${blockchain} and organization_id = waiting.organization_id and reconciled_block is null
        and id > waiting.after_wallet
        -- A quarantined wallet is reconciled once it has caught up.
        and not exists (
          select from quarantined_wallets quarantined
          where quarantined.organization_id = wallets.organization_id and quarantined.wallet_id = wallets.id
        )
      order by id limit ${RECONCILE_BATCH}::int / waiting.organizations) found on true
    order by waiting.organization_id, found.id
  `,
  )
}
