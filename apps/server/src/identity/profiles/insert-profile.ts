import type { Selectable } from 'kysely'
import { BLOCKCHAINS, type Blockchain } from '../../chains/index.ts'
import type { Schema, Tx } from '../../database/index.ts'
import { type Clock, OPERATION_TIMEOUT_SECONDS } from '../../kernel/index.ts'

/** A wallet profile: a group of wallets with its own keys, chains and signing window (contract 3). */
export interface WalletProfile {
  readonly id: number
  readonly name: string
  readonly isDefault: boolean
  readonly enabledChains: readonly Blockchain[]
  readonly operationTimeoutSeconds: number
  readonly createdAt: Date
}

interface NewProfile {
  readonly organizationId: number
  readonly name: string
  readonly isDefault?: boolean
  readonly enabledChains?: readonly Blockchain[]
  readonly operationTimeoutSeconds?: number
}

/** The columns that make a {@link WalletProfile}. */
export const PROFILE_COLUMNS = [
  'id',
  'name',
  'is_default',
  'enabled_chains',
  'operation_timeout_seconds',
  'created_at',
] as const

type ProfileRow = Pick<Selectable<Schema['wallet_profiles']>, (typeof PROFILE_COLUMNS)[number]>

export function profileFrom(row: ProfileRow): WalletProfile {
  return {
    id: row.id,
    name: row.name,
    isDefault: row.is_default,
    enabledChains: BLOCKCHAINS.filter((blockchain) => row.enabled_chains.includes(blockchain)),
    operationTimeoutSeconds: row.operation_timeout_seconds,
    createdAt: row.created_at,
  }
}

/** Stores a profile with checked fields; omitted fields take their defaults: all chains, 120 seconds. */
export async function insertProfile(
  tx: Tx,
  parts: { readonly clock: Clock },
  profile: NewProfile,
): Promise<WalletProfile> {
  const row = await tx
    .insertInto('wallet_profiles')
    .values({
      organization_id: profile.organizationId,
      name: profile.name,
      is_default: profile.isDefault ?? false,
      enabled_chains: [...(profile.enabledChains ?? BLOCKCHAINS)],
      operation_timeout_seconds: profile.operationTimeoutSeconds ?? OPERATION_TIMEOUT_SECONDS.default,
      created_at: parts.clock.now(),
    })
    .returning(PROFILE_COLUMNS)
    .executeTakeFirstOrThrow()
  return profileFrom(row)
}
