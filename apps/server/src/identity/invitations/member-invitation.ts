import type { Selectable } from 'kysely'
import type { Role, Schema } from '../../database/index.ts'

/** An open invitation to join an organization. */
export interface MemberInvitation {
  readonly id: number
  readonly email: string
  readonly role: Role
  /** The member who sent it. */
  readonly invitedBy: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** The columns that make a {@link MemberInvitation}. */
export const INVITATION_COLUMNS = ['id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'] as const

type InvitationRow = Pick<Selectable<Schema['member_invitations']>, (typeof INVITATION_COLUMNS)[number]>

export function invitationFrom(row: InvitationRow): MemberInvitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
