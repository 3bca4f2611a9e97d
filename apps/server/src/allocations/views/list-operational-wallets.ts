import { sql } from 'kysely'
import type { Chains, Token } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { type Actor, creatorFrom } from '../../identity/index.ts'
import { hasWalletPrefix, operationalWalletNotFound, requireConfiguredToken } from '../../wallets/index.ts'
import { type PostedPosition, presentValue } from '../positions/present-value.ts'

/** An operational wallet with its current holdings. Amounts in base units of its token. */
export interface OperationalWalletView {
  readonly opWalletId: number
  readonly walletId: number
  readonly address: string
  readonly blockchain: string
  readonly label: string | null
  readonly token: Token
  readonly enableYield: boolean
  readonly buffer: bigint
  readonly metadata: Record<string, unknown> | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly createdBy: Actor | null
  readonly available: bigint
  readonly reserved: bigint
  /** The current value of its positions, including yield (contract 1). */
  readonly deployed: bigint
  /** When that value was read, by the chain's clock; null without a position. */
  readonly deployedAt: Date | null
  /** Requested back from strategies and not claimed. */
  readonly exiting: bigint
  /** The sum of the four. */
  readonly total: bigint
}

/** Absent fields match every operational wallet. */
export interface OperationalWalletFilter {
  readonly opWalletId?: number | undefined
  readonly walletId?: number | undefined
  readonly blockchain?: string | undefined
  /** Addresses of a token on the chains. */
  readonly tokenAddresses?: readonly string[] | undefined
  /** What the label or the address begins with, in any case. */
  readonly text?: string | undefined
  /** Only wallets that deploy what is above the buffer, and have less than the buffer available. */
  readonly belowBuffer?: boolean | undefined
}

export interface OperationalWalletPage {
  /** `null`: all of them. */
  readonly limit: number | null
  readonly offset: number
  /** Only operational wallets with a lower id. */
  readonly before?: number | undefined
}

/**
 * A page of an organization's operational wallets, or all of them, newest first, each with its balances and the current
 * value of its positions (spec 2.2). One statement, so that money that is being deployed is counted once. `total` counts
 * what matches the filter, whatever the page.
 */
export async function listOperationalWallets(
  parts: { db: Database; chains: Chains },
  organizationId: number,
  filter: OperationalWalletFilter,
  page: OperationalWalletPage,
): Promise<{ wallets: OperationalWalletView[]; total: number }> {
  const rows = await select(parts.db, organizationId, filter, page)
  const views = new Map<number, OperationalWalletView>()
  for (const row of rows) {
    if (row.id === null) continue
    const view = views.get(row.id) ?? viewOf(parts.chains, row as OperationalWalletRow)
    const { value, at } = row.shares === null ? { value: 0n, at: null } : presentValue(row as PostedPosition)
    const deployedAt = at !== null && (view.deployedAt === null || at > view.deployedAt) ? at : view.deployedAt
    views.set(row.id, { ...view, deployed: view.deployed + value, deployedAt, total: view.total + value })
  }
  return { wallets: [...views.values()], total: rows[0]?.how_many ?? 0 }
}

/** One operational wallet with its balances. Error: WALLET_NOT_FOUND. */
export async function getOperationalWallet(
  parts: { db: Database; chains: Chains },
  { organizationId, opWalletId }: { readonly organizationId: number; readonly opWalletId: number },
): Promise<OperationalWalletView> {
  const { wallets } = await listOperationalWallets(parts, organizationId, { opWalletId }, { limit: 1, offset: 0 })
  if (wallets[0]) return wallets[0]
  throw operationalWalletNotFound()
}

function select(db: Database, organizationId: number, filter: OperationalWalletFilter, page: OperationalWalletPage) {
  const ownWallets = matching(db, organizationId, filter)
  const counted = ownWallets.select(({ fn }) => fn.countAll<number>().as('how_many'))
  let following = ownWallets
  if (page.before !== undefined) following = following.where('operational_wallets.id', '<', page.before)
  const paged = following
    .selectAll('operational_wallets')
    .select(['wallets.address', 'wallets.blockchain', 'wallets.label'])
    .orderBy('operational_wallets.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
  const open = db
    .selectFrom('allocations')
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .where('allocations.organization_id', '=', organizationId)
    .where('allocations.status', '<>', 'CLOSED')
    .select([
      'allocations.wallet_id as holder_id',
      'allocations.shares',
      'allocations.posted_price',
      'allocations.posted_value',
      'allocations.posted_at',
      'strategies.token_address as position_token',
      'strategies.protocol',
      'strategies.price',
      'strategies.price_at',
    ])
  // The count is the left side of the join, so that a page past the end still reports it.
  return db
    .selectFrom(counted.as('counted'))
    .leftJoin(paged.as('paged'), (join) => join.onTrue())
    .leftJoin('ledger_balances', (join) =>
      join
        .onRef('ledger_balances.organization_id', '=', 'paged.organization_id')
        .onRef('ledger_balances.wallet_id', '=', 'paged.wallet_id')
        .onRef('ledger_balances.token_address', '=', 'paged.token_address'),
    )
    .leftJoin(open.as('open'), (join) =>
      join.onRef('open.holder_id', '=', 'paged.wallet_id').onRef('open.position_token', '=', 'paged.token_address'),
    )
    .selectAll('counted')
    .selectAll('paged')
    .selectAll('open')
    .select(['ledger_balances.available', 'ledger_balances.reserved', 'ledger_balances.exiting'])
    .orderBy('paged.id', 'desc')
    .execute()
}

function matching(db: Database, organizationId: number, filter: OperationalWalletFilter) {
  const { opWalletId, walletId, blockchain, tokenAddresses, text, belowBuffer } = filter
  let query = db
    .selectFrom('operational_wallets')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'operational_wallets.organization_id')
        .onRef('wallets.id', '=', 'operational_wallets.wallet_id'),
    )
    .where('operational_wallets.organization_id', '=', organizationId)
  if (opWalletId !== undefined) query = query.where('operational_wallets.id', '=', opWalletId)
  if (walletId !== undefined) query = query.where('operational_wallets.wallet_id', '=', walletId)
  if (blockchain !== undefined) query = query.where('wallets.blockchain', '=', blockchain)
  if (tokenAddresses !== undefined) query = query.where('operational_wallets.token_address', 'in', tokenAddresses)
  if (text !== undefined) query = query.where(hasWalletPrefix(text))
  if (belowBuffer) query = query.where(isBelowBuffer)
  return query
}

/** Those that deploy nothing and have nothing deployed hold what they hold: nothing is to be filled up. */
const isBelowBuffer = sql<boolean>`exists (select from ledger_balances b
  where b.organization_id = operational_wallets.organization_id and b.wallet_id = operational_wallets.wallet_id
    and b.token_address = operational_wallets.token_address and b.available < operational_wallets.buffer_amount
    and (operational_wallets.enable_yield or b.deployed + b.exiting > 0))`

/** A joined row with an operational wallet. */
interface OperationalWalletRow {
  id: number
  wallet_id: number
  address: string
  blockchain: string
  label: string | null
  token_address: string
  enable_yield: boolean
  buffer_amount: bigint
  metadata: Record<string, unknown> | null
  created_at: Date
  created_by_type: Actor['type'] | null
  created_by_id: number | null
  updated_at: Date
  available: bigint | null
  reserved: bigint | null
  exiting: bigint | null
}

function viewOf(chains: Chains, row: OperationalWalletRow): OperationalWalletView {
  const available = row.available ?? 0n
  const reserved = row.reserved ?? 0n
  const exiting = row.exiting ?? 0n
  return {
    opWalletId: row.id,
    walletId: row.wallet_id,
    address: row.address,
    blockchain: row.blockchain,
    label: row.label,
    token: requireConfiguredToken(chains, row.blockchain, row.token_address),
    enableYield: row.enable_yield,
    buffer: row.buffer_amount,
    metadata: row.metadata,
    createdAt: row.created_at,
    createdBy: creatorFrom(row),
    updatedAt: row.updated_at,
    available,
    reserved,
    deployed: 0n,
    deployedAt: null,
    exiting,
    total: available + reserved + exiting,
  }
}
