import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Schema, Tx } from '../database/index.ts'
import { type Actor, creatorFrom } from '../identity/index.ts'
import { Failure } from '../kernel/index.ts'

/** One token of one wallet, with the buffer that stays liquid (spec 1, contract 1). */
export interface OperationalWallet {
  readonly organizationId: number
  readonly opWalletId: number
  readonly walletId: number
  readonly tokenAddress: string
  /** Whether the rebalancer may deploy what is above the buffer. */
  readonly enableYield: boolean
  /** Base units. */
  readonly buffer: bigint
  readonly metadata: Record<string, unknown> | null
  readonly createdAt: Date
  /** `null` for those of earlier versions. */
  readonly createdBy: Actor | null
  readonly updatedAt: Date
}

export type OperationalWalletId = Pick<OperationalWallet, 'organizationId' | 'opWalletId'>

/** The columns that the type has; the others are the rebalancer's. */
type OperationalWalletRow = Pick<
  Selectable<Schema['operational_wallets']>,
  | 'organization_id'
  | 'id'
  | 'wallet_id'
  | 'token_address'
  | 'enable_yield'
  | 'buffer_amount'
  | 'metadata'
  | 'created_at'
  | 'created_by_type'
  | 'created_by_id'
  | 'updated_at'
>

export function operationalWalletFrom(row: OperationalWalletRow): OperationalWallet {
  return {
    organizationId: row.organization_id,
    opWalletId: row.id,
    walletId: row.wallet_id,
    tokenAddress: row.token_address,
    enableYield: row.enable_yield,
    buffer: row.buffer_amount,
    metadata: row.metadata,
    createdAt: row.created_at,
    createdBy: creatorFrom(row),
    updatedAt: row.updated_at,
  }
}

/** An operational wallet by id; `undefined` if it is unknown or belongs to another organization. */
export async function findOperationalWallet(
  db: Database | Tx,
  { organizationId, opWalletId }: { organizationId: number; opWalletId: number },
): Promise<OperationalWallet | undefined> {
  const row = await db
    .selectFrom('operational_wallets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', opWalletId)
    .executeTakeFirst()
  return row && operationalWalletFrom(row)
}

/** An operational wallet by id. Error: WALLET_NOT_FOUND. */
export async function requireOperationalWallet(
  db: Database | Tx,
  named: { organizationId: number; opWalletId: number },
): Promise<OperationalWallet> {
  const found = await findOperationalWallet(db, named)
  if (!found) throw operationalWalletNotFound()
  return found
}

export const operationalWalletNotFound = () =>
  new Failure('WALLET_NOT_FOUND', { message: 'The operational wallet does not exist.' })

/** The operational wallet for one token of one wallet; `undefined` if there is none. */
export async function operationalWalletOf(
  db: Database | Tx,
  { organizationId, walletId, tokenAddress }: { organizationId: number; walletId: number; tokenAddress: string },
): Promise<OperationalWallet | undefined> {
  const row = await db
    .selectFrom('operational_wallets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .where('token_address', '=', tokenAddress)
    .executeTakeFirst()
  return row && operationalWalletFrom(row)
}

/** A condition: a row of the table, which may have another name, is one of these wallets. */
export function isOneOfWallets(table: string, wallets: readonly OperationalWalletId[]): RawBuilder<boolean> {
  const organizations = wallets.map(({ organizationId }) => organizationId)
  const ids = wallets.map(({ opWalletId }) => opWalletId)
  return sql<boolean>`(${sql.ref(`${table}.organization_id`)}, ${sql.ref(`${table}.id`)}) in
    (select * from unnest(${organizations}::bigint[], ${ids}::bigint[]))`
}

/** A token that a wallet is operational for. */
export interface OperationalToken {
  readonly walletId: number
  readonly opWalletId: number
  readonly tokenAddress: string
}

/** The tokens that these wallets are operational for. One statement. */
export async function operationalTokensOf(
  db: Database | Tx,
  organizationId: number,
  walletIds: readonly number[],
): Promise<OperationalToken[]> {
  if (walletIds.length === 0) return []
  const rows = await db
    .selectFrom('operational_wallets')
    .select(['id', 'wallet_id', 'token_address'])
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', sql<number>`any(${walletIds}::bigint[])`)
    .orderBy('id')
    .execute()
  return rows.map(({ id, wallet_id, token_address }) => ({
    walletId: wallet_id,
    opWalletId: id,
    tokenAddress: token_address,
  }))
}
