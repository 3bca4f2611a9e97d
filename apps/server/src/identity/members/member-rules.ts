import type { Role, Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import { MEMBER_COLUMNS, type Member, memberFrom } from './member.ts'

/** FORBIDDEN unless the actor is an owner or the role is not owner. */
export function refuseOwnerRole(actor: UserCredential, role: Role | undefined): void {
  if (role === 'owner' && actor.role !== 'owner') {
    throw new Failure('FORBIDDEN', { message: 'Only an owner can make someone an owner.' })
  }
}

/**
 * FORBIDDEN unless an owner, or the member, changes what an admin signs in with: password, second factors, accounts at
 * identity providers. It would let one admin act as several.
 */
export function refuseAnotherAdmin(actor: UserCredential, member: Member): void {
  if (member.role === 'admin' && actor.role !== 'owner' && actor.userId !== member.id) {
    throw new Failure('FORBIDDEN', { message: 'Only an owner can change what another admin signs in with.' })
  }
}

/**
 * Reads a member that the actor wants to change or remove. Locks the organization's row until the transaction ends, so
 * that when the last two owners leave at once, the second sees that the first is gone. NOT_FOUND for an unknown member,
 * FORBIDDEN when anyone but an owner changes an owner.
 */
export async function lockMember(tx: Tx, actor: UserCredential, memberId: number): Promise<Member> {
  await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', actor.organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const row = await tx
    .selectFrom('users')
    .select(MEMBER_COLUMNS)
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', memberId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new Failure('NOT_FOUND', { message: 'The member does not exist.' })
  if (row.role === 'owner' && actor.role !== 'owner') {
    throw new Failure('FORBIDDEN', { message: 'Only an owner can change or remove an owner.' })
  }
  return memberFrom(row)
}

/** CONFLICT when this member is the organization's only owner. The organization must be locked. */
export async function refuseLastOwner(tx: Tx, organizationId: number, member: Member): Promise<void> {
  if (member.role !== 'owner') return
  if (!(await hasAnotherOwner(tx, organizationId, member.id)))
    throw new Failure('CONFLICT', { message: 'An organization must keep at least one owner.' })
}

/** Whether somebody besides this member owns the organization, which must be locked. */
export async function hasAnotherOwner(tx: Tx, organizationId: number, memberId: number): Promise<boolean> {
  const another = await tx
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '!=', memberId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return another !== undefined
}
