import { type Selectable, sql } from 'kysely'
import { ADDRESS_FORM, BLOCKCHAINS, type Blockchain, normalizeAddress, requireAddress } from '../chains/index.ts'
import { type Database, preparedQuery, type Schema, type Tx } from '../database/index.ts'
import type { Scope } from '../identity/index.ts'
import { type ErrorCode, Failure, validationError } from '../kernel/index.ts'

/** How a request names one wallet: by id, by address on the chain of its context, or by both. */
export interface WalletReference {
  readonly walletId?: number | undefined
  readonly walletAddress?: string | undefined
}

/** The strategy or venue that the request also names: the wallet is the one on its chain. */
export interface WalletContext {
  /** `undefined`: the strategy or venue does not exist. */
  readonly blockchain: string | undefined
  /** The request field that names it. */
  readonly field: string
  readonly missing: ErrorCode
}

/** A wallet row with the permissions of its profile. */
export interface WalletRow extends Selectable<Schema['wallets']> {
  readonly enabled_chains: string[]
  readonly operation_timeout_seconds: number
}

type LookupParameter = 'organizationId' | 'walletProfileId' | 'walletId' | 'addresses'
type LookupPlaceholder = (name: LookupParameter) => never

/** Wallets of an organization, or of one profile if `walletProfileId` is set, with the permissions of their profile. */
function selectWalletRows(db: Database | Tx, placeholder: LookupPlaceholder) {
  const inScope = sql<boolean>`(${placeholder('walletProfileId')}::bigint is null
    or wallets.wallet_profile_id = ${placeholder('walletProfileId')})`
  return db
    .selectFrom('wallets')
    .innerJoin('wallet_profiles', (join) =>
      join
        .onRef('wallet_profiles.organization_id', '=', 'wallets.organization_id')
        .onRef('wallet_profiles.id', '=', 'wallets.wallet_profile_id'),
    )
    .selectAll('wallets')
    .select(['wallet_profiles.enabled_chains', 'wallet_profiles.operation_timeout_seconds'])
    .where('wallets.organization_id', '=', placeholder('organizationId'))
    .where(inScope)
}

const byId = preparedQuery('wallet by id', (db, placeholder: LookupPlaceholder) =>
  selectWalletRows(db, placeholder).where('wallets.id', '=', placeholder('walletId')),
)
const byAddress = preparedQuery('wallets by address', (db, placeholder: LookupPlaceholder) =>
  selectWalletRows(db, placeholder).where(
    'wallets.address',
    '=',
    sql<string>`any(${placeholder('addresses')}::text[])`,
  ),
)

/**
 * Every wallet within the scope that the reference could mean, in one statement; the chain decides which one it is.
 *
 * Errors: VALIDATION_ERROR (no wallet named), INVALID_ADDRESS (not well formed on any chain).
 */
export async function findReferencedWallets(
  db: Database,
  scope: Scope,
  reference: WalletReference,
): Promise<WalletRow[]> {
  const { walletId, walletAddress } = reference
  if (walletId === undefined && walletAddress === undefined) {
    throw validationError('walletAddress', 'either walletAddress or walletId is required')
  }
  const addresses = walletAddress === undefined ? [] : addressSpellings(walletAddress)
  const find = walletId === undefined ? byAddress : byId
  return find(db, { ...scope, walletId, addresses })
}

/**
 * Picks the referenced wallet from these rows, with errors in the order of contract 1.
 *
 * Errors: WALLET_NOT_FOUND, then the context's own error, INVALID_ADDRESS (not an address of the chain: that of the
 * wallet that the id names, else of the context), VALIDATION_ERROR (id and address disagree, or the wallet is on another
 * chain).
 */
export function resolveWallet(
  rows: readonly WalletRow[],
  reference: WalletReference,
  context: WalletContext,
): WalletRow {
  const { blockchain } = context
  if (blockchain === undefined) throw new Failure(rows.length === 0 ? 'WALLET_NOT_FOUND' : context.missing)
  const { walletId, walletAddress } = reference
  const row = rows.find((candidate) => (walletId === undefined ? candidate.blockchain === blockchain : true))
  if (walletAddress !== undefined) requireAddress(asBlockchain(row?.blockchain ?? blockchain), walletAddress)
  if (!row) throw new Failure('WALLET_NOT_FOUND')
  if (walletId === undefined) return row
  if (walletAddress !== undefined && normalizeAddress(asBlockchain(row.blockchain), walletAddress) !== row.address) {
    throw validationError('walletAddress', 'does not name the same wallet as walletId')
  }
  if (row.blockchain !== blockchain) {
    throw validationError(context.field, `is on ${blockchain}, the wallet on ${row.blockchain}`)
  }
  return row
}

/** The address as written on each chain where it is well formed. Error: INVALID_ADDRESS when there is none. */
export function addressSpellings(text: string): string[] {
  const spellings = [...new Set(BLOCKCHAINS.flatMap((blockchain) => normalizeAddress(blockchain, text) ?? []))]
  if (spellings.length === 0)
    throw new Failure('INVALID_ADDRESS', { message: `The wallet address is not valid on any chain: ${ADDRESS_FORM}` })
  return spellings
}

function asBlockchain(stored: string): Blockchain {
  return stored as Blockchain
}
