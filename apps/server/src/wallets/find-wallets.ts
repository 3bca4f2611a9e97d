import type { Selectable } from 'kysely'
import { type Database, type Schema, selectCount, type Tx } from '../database/index.ts'
import type { Scope } from '../identity/index.ts'
import { Failure } from '../kernel/index.ts'
import type { WalletParts } from './parts.ts'
import { type Wallet, walletFrom } from './wallet.ts'
import { hasWalletPrefix } from './wallet-prefix.ts'

export interface WalletFilter {
  readonly walletId?: number | undefined
  readonly address?: readonly string[] | undefined
  readonly blockchain?: string | undefined
  readonly userId?: string | undefined
  /** What the label or the address begins with, in any case. */
  readonly text?: string | undefined
}

/** Wallets within a scope, newest first. */
export function selectWallets(db: Database | Tx, scope: Scope, filter: WalletFilter = {}) {
  let query = db.selectFrom('wallets').where('wallets.organization_id', '=', scope.organizationId)
  if (scope.walletProfileId !== null) query = query.where('wallets.wallet_profile_id', '=', scope.walletProfileId)
  if (filter.walletId !== undefined) query = query.where('wallets.id', '=', filter.walletId)
  if (filter.address !== undefined) query = query.where('wallets.address', 'in', filter.address)
  if (filter.blockchain !== undefined) query = query.where('wallets.blockchain', '=', filter.blockchain)
  if (filter.userId !== undefined) query = query.where('wallets.user_id', '=', filter.userId)
  if (filter.text !== undefined) query = query.where(hasWalletPrefix(filter.text))
  return query
}

/** Error: WALLET_NOT_FOUND, even for a wallet outside the scope. */
export async function requireWallet(db: Database | Tx, scope: Scope, walletId: number): Promise<void> {
  const wallet = await selectWallets(db, scope, { walletId }).select('wallets.id').executeTakeFirst()
  if (!wallet) throw new Failure('WALLET_NOT_FOUND')
}

export interface WalletPage {
  readonly wallets: Wallet[]
  readonly total: number
}

interface WalletPageRequest {
  /** `null`: all of them. */
  readonly limit: number | null
  readonly offset: number
  /** Only wallets with a lower id. */
  readonly before?: number | undefined
}

/**
 * A page of the wallets within a scope, or all of them, newest first (contract 5 and 6), and how many match the filter,
 * whatever the page. One statement.
 */
export async function listWallets(
  parts: Pick<WalletParts, 'db'>,
  scope: Scope,
  filter: WalletFilter,
  page: WalletPageRequest,
): Promise<WalletPage> {
  const matching = selectWallets(parts.db, scope, filter)
  const { userId, walletId, address, text } = filter
  const isTallied = [userId, walletId, address, text].every((each) => each === undefined)
  const counted = isTallied
    ? selectCount(parts.db, {
        ...scope,
        entity: 'wallets',
        kinds: filter.blockchain === undefined ? undefined : [filter.blockchain],
      })
    : matching.select(({ fn }) => fn.countAll<number>().as('total'))
  const following = page.before === undefined ? matching : matching.where('wallets.id', '<', page.before)
  const paged = following.selectAll('wallets').orderBy('wallets.id', 'desc').limit(page.limit).offset(page.offset)
  // The count is the left side of the join, so that a page past the end still reports it.
  const rows = await parts.db
    .selectFrom(counted.as('counted'))
    .leftJoin(paged.as('paged'), (join) => join.onTrue())
    .selectAll()
    .orderBy('paged.id', 'desc')
    .execute()
  return {
    wallets: rows.flatMap((row) => (row.id === null ? [] : [walletFrom(row as Selectable<Schema['wallets']>)])),
    total: rows[0]?.total ?? 0,
  }
}

export interface WalletBalance {
  readonly token: string
  readonly tokenAddress: string
  /** Base units. */
  readonly available: bigint
  readonly reserved: bigint
  readonly deployed: bigint
  /** Requested back from strategies and not claimed. */
  readonly exiting: bigint
}

export interface WalletDetail {
  readonly wallet: Wallet
  readonly walletProfileName: string
  readonly balances: WalletBalance[]
}

/** One wallet with its profile and its balances by token. One statement. Error: WALLET_NOT_FOUND. */
export async function getWallet(
  parts: Pick<WalletParts, 'db' | 'chains'>,
  scope: Scope,
  walletId: number,
): Promise<WalletDetail> {
  const rows = await selectWallets(parts.db, scope, { walletId })
    .innerJoin('wallet_profiles', (join) =>
      join
        .onRef('wallet_profiles.organization_id', '=', 'wallets.organization_id')
        .onRef('wallet_profiles.id', '=', 'wallets.wallet_profile_id'),
    )
    .leftJoin('ledger_balances', (join) =>
      join
        .onRef('ledger_balances.organization_id', '=', 'wallets.organization_id')
        .onRef('ledger_balances.wallet_id', '=', 'wallets.id'),
    )
    .selectAll('wallets')
    .select([
      'wallet_profiles.name as profile_name',
      'ledger_balances.token_address',
      'ledger_balances.available',
      'ledger_balances.reserved',
      'ledger_balances.deployed',
      'ledger_balances.exiting',
    ])
    .execute()
  const [row] = rows
  if (!row) throw new Failure('WALLET_NOT_FOUND')
  const wallet = walletFrom(row)
  const stored = new Map(rows.map((balance) => [balance.token_address, balance]))
  const tokens = parts.chains.get(wallet.blockchain)?.network.tokens ?? []
  const balances = tokens.map(({ symbol, address }) => {
    const { available, reserved, deployed, exiting } = stored.get(address) ?? {}
    return {
      token: symbol,
      tokenAddress: address,
      available: available ?? 0n,
      reserved: reserved ?? 0n,
      deployed: deployed ?? 0n,
      exiting: exiting ?? 0n,
    }
  })
  return { wallet, walletProfileName: row.profile_name, balances }
}
