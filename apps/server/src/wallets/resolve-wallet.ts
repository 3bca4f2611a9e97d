import { type Selectable, sql } from 'kysely'
import { ADDRESS_FORM, BLOCKCHAINS, type Blockchain, normalizeAddress, requireAddress } from '../chains/index.ts'
import { type Database, preparedQuery, type Schema, type Tx } from '../database/index.ts'
import type { Scope } from '../identity/index.ts'
import { type ErrorCode, Failure, validationError } from '../kernel/index.ts'

/** How a request names one wallet: by id, by address on the chain of what else it names, or by both. */
export interface WalletReference {
  readonly walletId?: number | undefined
  readonly walletAddress?: string | undefined
}

/** What else the request names, a strategy or a venue: the wallet is the one on its chain. */
export interface WalletContext {
  /** `undefined`: there is no such place. */
  readonly blockchain: string | undefined
  /** The request's field that names it. */
  readonly field: string
  readonly missing: ErrorCode
}

/** A wallet's row with what its profile allows. */
export interface WalletRow extends Selectable<Schema['wallets']> {
  readonly enabled_chains: string[]
  readonly operation_timeout_seconds: number
}

type LookupParameter = 'organizationId' | 'walletProfileId' | 'walletId' | 'addresses'
type LookupPlaceholder = (name: LookupParameter) => never

/** Wallets of an organization, or of one of its profiles where the place is filled, with what their profile allows. */
function selectWalletRows(db: Database | Tx, place: LookupPlaceholder) {
  const inSight = sql<boolean>`(${place('walletProfileId')}::bigint is null
    or wallets.wallet_profile_id = ${place('walletProfileId')})`
  return db
    .selectFrom('wallets')
    .innerJoin('wallet_profiles', (join) =>
      join
        .onRef('wallet_profiles.organization_id', '=', 'wallets.organization_id')
        .onRef('wallet_profiles.id', '=', 'wallets.wallet_profile_id'),
    )
    .selectAll('wallets')
    .select(['wallet_profiles.enabled_chains', 'wallet_profiles.operation_timeout_seconds'])
    .where('wallets.organization_id', '=', place('organizationId'))
    .where(inSight)
}

const byId = preparedQuery('wallet by id', (db, place: LookupPlaceholder) =>
  selectWalletRows(db, place).where('wallets.id', '=', place('walletId')),
)
const byAddress = preparedQuery('wallets by address', (db, place: LookupPlaceholder) =>
  selectWalletRows(db, place).where('wallets.address', '=', sql<string>`any(${place('addresses')}::text[])`),
)

/**
 * Every wallet within the sight that could be meant, in one statement; which one it is depends on the place's chain.
 *
 * Errors: VALIDATION_ERROR (no wallet named), INVALID_ADDRESS (well formed on no chain).
 */
export async function findReferencedWallets(db: Database, scope: Scope, named: WalletReference): Promise<WalletRow[]> {
  const { walletId, walletAddress } = named
  if (walletId === undefined && walletAddress === undefined) {
    throw validationError('walletAddress', 'either walletAddress or walletId is required')
  }
  const addresses = walletAddress === undefined ? [] : addressSpellings(walletAddress)
  const find = walletId === undefined ? byAddress : byId
  return find(db, { ...scope, walletId, addresses })
}

/**
 * The one of these wallets that is meant, with the errors in the order of contract 1.
 *
 * Errors: WALLET_NOT_FOUND, then the place's own, INVALID_ADDRESS (not one of the place's chain), VALIDATION_ERROR
 * (names disagree, or the wallet is on another chain).
 */
export function resolveWallet(rows: readonly WalletRow[], named: WalletReference, place: WalletContext): WalletRow {
  const { blockchain } = place
  if (blockchain === undefined) throw new Failure(rows.length === 0 ? 'WALLET_NOT_FOUND' : place.missing)
  const { walletId, walletAddress } = named
  if (walletAddress !== undefined) requireAddress(asBlockchain(blockchain), walletAddress)
  const row = rows.find((candidate) => (walletId === undefined ? candidate.blockchain === blockchain : true))
  if (!row) throw new Failure('WALLET_NOT_FOUND')
  if (walletId === undefined) return row
  if (walletAddress !== undefined && normalizeAddress(asBlockchain(row.blockchain), walletAddress) !== row.address) {
    throw validationError('walletAddress', 'does not name the same wallet as walletId')
  }
  if (row.blockchain !== blockchain) {
    throw validationError(place.field, `is on ${blockchain}, the wallet on ${row.blockchain}`)
  }
  return row
}

/** How an address is spelled on each chain where it is well formed. Error: INVALID_ADDRESS when it is on none. */
export function addressSpellings(text: string): string[] {
  const spelled = [...new Set(BLOCKCHAINS.flatMap((blockchain) => normalizeAddress(blockchain, text) ?? []))]
  if (spelled.length === 0)
    throw new Failure('INVALID_ADDRESS', { message: `The wallet address is valid on no chain: ${ADDRESS_FORM}` })
  return spelled
}

function asBlockchain(stored: string): Blockchain {
  return stored as Blockchain
}
