import type { Selectable } from 'kysely'
import type { Schema } from '../database/index.ts'
import { type Actor, creatorFrom } from '../identity/index.ts'

/** A wallet as every surface reads it (spec 2.3; contract 1: one table, one id space). */
export interface Wallet {
  readonly organizationId: number
  readonly walletId: number
  readonly walletProfileId: number
  readonly blockchain: string
  readonly address: string
  readonly userId: string | null
  readonly orgMetadata: Record<string, unknown> | null
  readonly label: string | null
  readonly custodyProvider: string | null
  readonly createdAt: Date
  /** `null` for wallets of earlier versions. */
  readonly createdBy: Actor | null
}

export function walletFrom(row: Selectable<Schema['wallets']>): Wallet {
  return {
    organizationId: row.organization_id,
    walletId: row.id,
    walletProfileId: row.wallet_profile_id,
    blockchain: row.blockchain,
    address: row.address,
    userId: row.user_id,
    orgMetadata: row.org_metadata,
    label: row.label,
    custodyProvider: row.custody_provider,
    createdAt: row.created_at,
    createdBy: creatorFrom(row),
  }
}
