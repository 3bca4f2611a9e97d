import type { Database, Tx } from '../database/index.ts'
import type { Sight } from '../identity/index.ts'
import { Failure } from '../kernel/index.ts'
import { balancesOf } from '../ledger/index.ts'
import type { WalletParts } from './parts.ts'
import { type Wallet, walletFrom } from './wallet.ts'

export interface WalletFilter {
  readonly walletId?: number | undefined
  readonly address?: readonly string[] | undefined
  readonly blockchain?: string | undefined
  readonly userId?: string | undefined
}

/** Wallets within a sight, newest first. */
export function walletsWithin(db: Database | Tx, sight: Sight, filter: WalletFilter = {}) {
  let query = db.selectFrom('wallets').where('wallets.organization_id', '=', sight.organizationId)
  if (sight.walletProfileId !== null) query = query.where('wallets.wallet_profile_id', '=', sight.walletProfileId)
  if (filter.walletId !== undefined) query = query.where('wallets.id', '=', filter.walletId)
  if (filter.address !== undefined) query = query.where('wallets.address', 'in', filter.address)
  if (filter.blockchain !== undefined) query = query.where('wallets.blockchain', '=', filter.blockchain)
  if (filter.userId !== undefined) query = query.where('wallets.user_id', '=', filter.userId)
  return query
}

export interface WalletPage {
  readonly wallets: Wallet[]
  readonly total: number
}

/** A page of the wallets within a sight, newest first (decisions 6). */
export async function listWallets(
  parts: Pick<WalletParts, 'db'>,
  sight: Sight,
  filter: WalletFilter,
  page: { limit: number; offset: number },
): Promise<WalletPage> {
  const [rows, counted] = await Promise.all([
    walletsWithin(parts.db, sight, filter)
      .selectAll('wallets')
      .orderBy('wallets.id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    walletsWithin(parts.db, sight, filter)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { wallets: rows.map(walletFrom), total: counted.total }
}

export interface WalletBalance {
  readonly token: string
  readonly tokenAddress: string
  /** Base units. */
  readonly available: bigint
  readonly reserved: bigint
  readonly deployed: bigint
}

export interface WalletDetail {
  readonly wallet: Wallet
  readonly walletProfileName: string
  readonly balances: WalletBalance[]
}

/** One wallet with its profile and its balances by token. Error: WALLET_NOT_FOUND. */
export async function getWallet(
  parts: Pick<WalletParts, 'db' | 'chains'>,
  sight: Sight,
  walletId: number,
): Promise<WalletDetail> {
  const row = await walletsWithin(parts.db, sight, { walletId })
    .innerJoin('wallet_profiles', (join) =>
      join
        .onRef('wallet_profiles.organization_id', '=', 'wallets.organization_id')
        .onRef('wallet_profiles.id', '=', 'wallets.wallet_profile_id'),
    )
    .selectAll('wallets')
    .select('wallet_profiles.name as profile_name')
    .executeTakeFirst()
  if (!row) throw new Failure('WALLET_NOT_FOUND')
  const wallet = walletFrom(row)
  const held = new Map((await balancesOf(parts.db, wallet)).map((balance) => [balance.tokenAddress, balance]))
  const tokens = parts.chains.get(wallet.blockchain)?.network.tokens ?? []
  const balances = tokens.map(({ symbol, address }) => {
    const { available = 0n, reserved = 0n, deployed = 0n } = held.get(address) ?? {}
    return { token: symbol, tokenAddress: address, available, reserved, deployed }
  })
  return { wallet, walletProfileName: row.profile_name, balances }
}
