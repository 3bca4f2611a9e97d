import { sql } from 'kysely'
import type { Database, ServiceAccountRole, Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'

/** A secret that works, without itself. */
export interface ServiceAccountSecret {
  readonly preview: string
  readonly createdAt: Date
  /** The member who received it. */
  readonly createdBy: number
  /** `null`: never. */
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly lastUsedAddress: string | null
}

/** What calls core without a person. */
export interface ServiceAccount {
  readonly id: number
  readonly name: string
  readonly role: ServiceAccountRole
  /** Networks (CIDR) that it may be used from; `null`: any. */
  readonly allowedAddresses: readonly string[] | null
  readonly createdAt: Date
  readonly createdBy: number
  /** Those that work, newest first; none once the last one has expired. */
  readonly secrets: readonly ServiceAccountSecret[]
}

/** With its new secret, which is shown only once. */
export interface ServiceAccountWithSecret extends ServiceAccount {
  readonly secret: string
}

interface AccountRow {
  readonly id: number
  readonly name: string
  readonly role: ServiceAccountRole
  readonly allowedAddresses: string[] | null
  readonly createdAt: Date
  readonly createdBy: number
  readonly secrets: readonly (Omit<ServiceAccountSecret, 'createdAt' | 'expiresAt' | 'lastUsedAt'> & {
    readonly createdAt: string
    readonly expiresAt: string | null
    readonly lastUsedAt: string | null
  })[]
}

/** The organization's accounts that are not deleted, with the secrets that work at `now`. */
export function selectServiceAccounts(db: Database | Tx, organizationId: number, now: Date) {
  return db
    .selectFrom('service_accounts')
    .select([
      'id',
      'name',
      'role',
      'allowed_addresses as allowedAddresses',
      'created_at as createdAt',
      'created_by as createdBy',
      sql<AccountRow['secrets']>`(
        select coalesce(jsonb_agg(jsonb_build_object('preview', secret.preview, 'createdAt', secret.created_at,
          'createdBy', secret.created_by, 'expiresAt', secret.expires_at, 'lastUsedAt', secret.last_used_at,
          'lastUsedAddress', secret.last_used_address) order by secret.id desc), '[]')
        from service_account_secrets secret
        where secret.organization_id = service_accounts.organization_id
          and secret.service_account_id = service_accounts.id
          and (secret.expires_at is null or secret.expires_at > ${now})
      )`.as('secrets'),
    ])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
}

export function serviceAccountFrom({ secrets, ...row }: AccountRow): ServiceAccount {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    allowedAddresses: row.allowedAddresses,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    secrets: secrets.map((secret) => ({
      ...secret,
      createdAt: new Date(secret.createdAt),
      expiresAt: secret.expiresAt === null ? null : new Date(secret.expiresAt),
      lastUsedAt: secret.lastUsedAt === null ? null : new Date(secret.lastUsedAt),
    })),
  }
}

export function serviceAccountNotFound(): Failure {
  return new Failure('NOT_FOUND', { message: 'The service account does not exist.' })
}
