import type { Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { appendAuditEntry } from '../audit/append-audit-entry.ts'
import { revokeTokens } from '../mail/account-token.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { RELEASED_DOMAIN } from '../shared/validate-text.ts'

/** The member whose account has an address. */
export interface AddressHolder {
  readonly organizationId: number
  readonly userId: number
  readonly organizationName: string
  /** The member proved that the address is theirs. */
  readonly isProved: boolean
}

/** Locks the member until the transaction ends. `undefined`: the address is free. */
export async function findAddressHolder(tx: Tx, email: string): Promise<AddressHolder | undefined> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select([
      'users.organization_id as organizationId',
      'users.id as userId',
      'organizations.name as organizationName',
      'users.email_verified_at as verifiedAt',
    ])
    .where('users.email', '=', email)
    .where('users.removed_at', 'is', null)
    .forUpdate('users')
    .executeTakeFirst()
  return row && { ...row, isProved: row.verifiedAt !== null }
}

/** A member who lost an address. */
export interface ReleasedMember {
  readonly organizationId: number
  readonly userId: number
  readonly loginName: string
}

/**
 * Frees an address for somebody who has just proved that it is theirs (ADR 107). A member who never proved it keeps the
 * account, its sessions and everything in the organization, and loses the address: their login name becomes
 * `released-ID@weir.invalid`. CONFLICT when the holder proved the address, and when they did not and `takeAddress` does
 * not ask for it. Returns the member who lost it; `undefined` if nobody had it.
 */
export async function releaseAddress(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'log'>,
  { email, takeAddress }: { readonly email: string; readonly takeAddress: boolean },
): Promise<ReleasedMember | undefined> {
  const holder = await findAddressHolder(tx, email)
  if (holder === undefined) return undefined
  if (holder.isProved) throw addressInUse()
  if (!takeAddress) {
    throw new Failure('CONFLICT', {
      message: 'An account has this email address and never proved it. Send `takeAddress: true` to take it over.',
      details: { reason: 'address_unproved' },
    })
  }
  const { organizationId, userId } = holder
  const loginName = `released-${userId}${RELEASED_DOMAIN}`
  await tx
    .updateTable('users')
    .set({ email: loginName })
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .execute()
  await revokeTokens(tx, { organizationId, id: userId })
  await appendAuditEntry(tx, {
    organizationId,
    actor: { type: 'system', id: null },
    action: 'releaseAddress',
    objectType: 'member',
    objectId: userId,
    from: null,
    at: parts.clock.now(),
  })
  parts.log.warn({ organizationId, userId }, 'an email address moved from a member who never proved it to its owner')
  return { organizationId, userId, loginName }
}

/** CONFLICT in place of a violation of the index that keeps addresses unique: somebody else took it meanwhile. */
export function addressConflict(error: unknown): unknown {
  const isTaken =
    error instanceof Error && 'constraint' in error && (error as { constraint?: unknown }).constraint === 'users_email'
  return isTaken ? addressInUse() : error
}

export function addressInUse(): Failure {
  return new Failure('CONFLICT', {
    message: 'This email address already belongs to an account.',
    details: { reason: 'address_in_use' },
  })
}
