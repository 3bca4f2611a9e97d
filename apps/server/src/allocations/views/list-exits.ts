import type { Database, ExitState } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { requireOperationalWallet, requireWallet } from '../../wallets/index.ts'
import { SUBJECT_COLUMNS, type Subject, subjectOf } from './subject.ts'

/** The fields that an exit shows in every state. Amounts in base units of its token. */
interface ExitViewFields extends Subject {
  readonly exitId: number
  /** `null`: the wallet is not an operational wallet for the token. */
  readonly opWalletId: number | null
  readonly pending: bigint
  readonly claimable: bigint
  readonly requested: bigint
  readonly claimed: bigint
  /** By the chain's clock; `null`: the protocol does not say. */
  readonly claimableAt: Date | null
  readonly openedAt: Date
  readonly updatedAt: Date
}

/** An exit with the names of its wallet, strategy and venue; `claimedAt` exists once all of it is claimed. */
export type ExitView = ExitViewFields &
  ({ readonly state: Exclude<ExitState, 'claimed'> } | { readonly state: 'claimed'; readonly claimedAt: Date })

export interface ExitFilter {
  readonly state?: ExitState | undefined
  readonly walletId?: number | undefined
  readonly opWalletId?: number | undefined
  readonly strategyId?: number | undefined
}

/**
 * A page of exits, newest first, and how many match. Two statements. A wallet outside the scope is reported like one that
 * does not exist. Error: WALLET_NOT_FOUND.
 */
export async function listExits(
  db: Database,
  scope: Scope,
  filter: ExitFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly exits: readonly ExitView[]; readonly total: number }> {
  const matching = selectExits(db, scope, filter)
  const rows = await matching.orderBy('exits.id', 'desc').limit(page.limit).offset(page.offset).execute()
  const { total } = await matching
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  if (total === 0 && filter.walletId !== undefined) await requireWallet(db, scope, filter.walletId)
  if (total === 0 && filter.opWalletId !== undefined)
    await requireOperationalWallet(db, { organizationId: scope.organizationId, opWalletId: filter.opWalletId })
  return { exits: rows.map(exitViewOf), total }
}

/** Error: NOT_FOUND, also outside the scope. */
export async function getExit(db: Database, scope: Scope, exitId: number): Promise<ExitView> {
  const row = await selectExits(db, scope, {}).where('exits.id', '=', exitId).executeTakeFirst()
  if (!row) throw new Failure('NOT_FOUND', { message: 'The exit does not exist.' })
  return exitViewOf(row)
}

export function selectExits(
  db: Database,
  { organizationId, walletProfileId }: Scope,
  { state, walletId, opWalletId, strategyId }: ExitFilter,
) {
  let query = db
    .selectFrom('exits')
    .innerJoin('wallets', (join) =>
      join.onRef('wallets.organization_id', '=', 'exits.organization_id').onRef('wallets.id', '=', 'exits.wallet_id'),
    )
    .innerJoin('strategies', 'strategies.id', 'exits.strategy_id')
    .innerJoin('venues', 'venues.id', 'strategies.venue_id')
    .leftJoin('operational_wallets', (join) =>
      join
        .onRef('operational_wallets.organization_id', '=', 'exits.organization_id')
        .onRef('operational_wallets.wallet_id', '=', 'exits.wallet_id')
        .onRef('operational_wallets.token_address', '=', 'strategies.token_address'),
    )
    .selectAll('exits')
    .select([...SUBJECT_COLUMNS, 'operational_wallets.id as op_wallet_id'])
    .where('exits.organization_id', '=', organizationId)
  if (state !== undefined) query = query.where('exits.state', '=', state)
  if (walletId !== undefined) query = query.where('exits.wallet_id', '=', walletId)
  if (opWalletId !== undefined) query = query.where('operational_wallets.id', '=', opWalletId)
  if (strategyId !== undefined) query = query.where('exits.strategy_id', '=', strategyId)
  if (walletProfileId !== null) query = query.where('wallets.wallet_profile_id', '=', walletProfileId)
  return query
}

type ExitRow = Awaited<ReturnType<ReturnType<typeof selectExits>['execute']>>[number]

export function exitViewOf(row: ExitRow): ExitView {
  const fields = {
    exitId: row.id,
    opWalletId: row.op_wallet_id,
    ...subjectOf(row),
    pending: row.pending,
    claimable: row.claimable,
    requested: row.requested,
    claimed: row.claimed,
    claimableAt: row.claimable_at,
    openedAt: row.opened_at,
    updatedAt: row.updated_at,
  }
  if (row.state !== 'claimed') return { ...fields, state: row.state }
  assert(row.claimed_at !== null, `exit ${row.id} is claimed and says when`)
  return { ...fields, state: row.state, claimedAt: row.claimed_at }
}
