import type { Selectable } from 'kysely'
import { BLOCKCHAINS, type Blockchain } from '../../chains/index.ts'
import type { Schema } from '../../database/index.ts'

/** A wallet profile: a group of wallets with its own keys, chains and signing window (contract 3). */
export interface WalletProfile {
  readonly id: number
  readonly name: string
  readonly isDefault: boolean
  readonly enabledChains: readonly Blockchain[]
  readonly operationTimeoutSeconds: number
  readonly createdAt: Date
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
