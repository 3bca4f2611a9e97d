import { type Blockchain, requireAddress } from '../chains/index.ts'
import { type Transact, type Tx, transactOn } from '../database/index.ts'
import {
  type Actor,
  creatorColumns,
  lockProfile,
  requireQuota,
  type Scope,
  type WalletProfile,
} from '../identity/index.ts'
import { Failure, validationError } from '../kernel/index.ts'
import { openAccounts } from '../ledger/index.ts'
import type { WalletParts } from './parts.ts'
import { type Wallet, walletFrom } from './wallet.ts'
import { walletUse } from './wallet-use.ts'

export interface RegisterWallet {
  readonly scope: Scope
  readonly walletAddress: string
  readonly blockchain: Blockchain
  readonly userId?: string | null
  readonly orgMetadata?: Record<string, unknown> | null
  /** Who registers it. */
  readonly createdBy?: Actor
  /** Organization keys may name a profile; otherwise the default profile is used. */
  readonly walletProfileId?: number
  /** A request for it took its place in the quota. */
  readonly hasPlace?: true
  /** Set by the core surface, which imports wallets with a label and their custody provider (contract 7). */
  readonly imported?: { readonly label?: string | undefined; readonly custodyProvider?: string | undefined }
}

export interface WalletRegistration {
  readonly wallet: Wallet
  readonly created: boolean
}

/**
 * Registers a wallet, or returns the existing one unchanged (spec 4.6, contract 1).
 *
 * Errors: INVALID_ADDRESS; VALIDATION_ERROR (a chain that is not served); NOT_FOUND (profile); FORBIDDEN (chain not
 * enabled in the profile); CONFLICT (the address belongs to a profile outside the scope, or the organization is at its
 * quota).
 */
export async function registerWallet(
  parts: WalletParts,
  input: RegisterWallet,
  transact: Transact<WalletRegistration> = transactOn(parts.db),
): Promise<WalletRegistration> {
  const address = requireAddress(input.blockchain, input.walletAddress)
  const chain = parts.chains.get(input.blockchain)
  if (!chain) throw validationError('blockchain', `${input.blockchain} is not served here`)

  return transact(async (tx) => {
    const profile = await profileFor(tx, input)
    if (!profile.enabledChains.includes(input.blockchain)) {
      // What is registered already needs no permission: nothing changes.
      const existing = await findExisting(tx, input, address)
      if (existing) return { wallet: walletFrom(requireVisible(existing, input.scope)), created: false }
      throw new Failure('FORBIDDEN', { message: `The wallet profile does not allow ${input.blockchain}.` })
    }
    const inserted = await tx
      .insertInto('wallets')
      .values({
        organization_id: input.scope.organizationId,
        wallet_profile_id: profile.id,
        blockchain: input.blockchain,
        address,
        user_id: input.userId ?? null,
        org_metadata: input.orgMetadata ? JSON.stringify(input.orgMetadata) : null,
        label: input.imported?.label ?? null,
        custody_provider: input.imported?.custodyProvider ?? null,
        imported_at: input.imported ? parts.clock.now() : null,
        created_at: parts.clock.now(),
        ...creatorColumns(input.createdBy),
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'blockchain', 'address']).doNothing())
      .returningAll()
      .executeTakeFirst()
    const wallet = walletFrom(inserted ?? requireVisible((await findExisting(tx, input, address))!, input.scope))
    if (inserted) {
      // After the insert: a wallet that is registered again needs no place.
      const { organizationId } = input.scope
      const place = { organizationId, quota: 'wallets', use: walletUse, isCounted: true } as const
      if (!input.hasPlace) await requireQuota(tx, parts, place)
      await openAccounts(
        tx,
        wallet,
        chain.network.tokens.map((token) => token.address),
      )
    }
    return { wallet, created: inserted !== undefined }
  })
}

function findExisting(tx: Tx, { scope, blockchain }: RegisterWallet, address: string) {
  return tx
    .selectFrom('wallets')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('blockchain', '=', blockchain)
    .where('address', '=', address)
    .executeTakeFirst()
}

function requireVisible<Row extends { readonly wallet_profile_id: number }>(row: Row, scope: Scope): Row {
  if (scope.walletProfileId === null || row.wallet_profile_id === scope.walletProfileId) return row
  throw new Failure('CONFLICT', { message: 'The address belongs to another wallet profile of this organization.' })
}

async function profileFor(tx: Tx, { scope, walletProfileId }: RegisterWallet): Promise<WalletProfile> {
  const profileId = scope.walletProfileId ?? walletProfileId ?? (await defaultProfileId(tx, scope.organizationId))
  const profile = await lockProfile(tx, scope.organizationId, profileId)
  if (!profile) throw new Failure('NOT_FOUND', { message: 'The wallet profile does not exist.' })
  return profile
}

/** Every organization has a default profile, and it cannot be deleted (contract 3). */
async function defaultProfileId(tx: Tx, organizationId: number): Promise<number> {
  const { id } = await tx
    .selectFrom('wallet_profiles')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow()
  return id
}
