import { type RawBuilder, sql } from 'kysely'
import { APPROVAL_PAUSE_MS, ASSIGNED_PASSWORD_LIFETIME_MS, addMilliseconds } from '../../kernel/index.ts'
import type { AssignedPasswords } from '../shared/parts.ts'

/** The columns of a password that its user set. When they may approve again does not change. */
export const OWN_PASSWORD = { password_change_required: false, password_expires_at: null } as const

/**
 * `password_assigned_at` of a member who sets a password by a link in an email: it is their own now. Another person who used the one
 * before may have enrolled a second factor, so with one it stays.
 */
export const afterReset = (): RawBuilder<Date | null> =>
  sql`case when second_factors <> '{}' then password_assigned_at end`

/** The same where the link proves the address with the password of now, which must not be the one that others set. */
export const afterProof = (): RawBuilder<Date | null> =>
  sql`case when password_change_required or second_factors <> '{}' then password_assigned_at end`

/**
 * The columns of a member who can approve from now on by an act of others: an invitation, a higher role, an account at
 * an identity provider. The person who did it could be that member, so these approve nothing for a day either (ADR
 * 105).
 */
export function pausedApproval(mode: AssignedPasswords, at: Date) {
  return mode === 'lasting' ? {} : { approves_after: addMilliseconds(at, APPROVAL_PAUSE_MS) }
}

/**
 * The columns of a password that another member set at this time. A one-time password must be replaced within a week,
 * before anything else, and its user approves nothing for a day: otherwise one admin could sign in as several approvers
 * (ADR 105). Under either mode the user's first single sign-on ends it, unless they proved the address since then.
 */
export function assignedPassword(mode: AssignedPasswords, at: Date) {
  if (mode === 'lasting') return { ...OWN_PASSWORD, password_assigned_at: at }
  return {
    password_assigned_at: at,
    password_change_required: true,
    password_expires_at: addMilliseconds(at, ASSIGNED_PASSWORD_LIFETIME_MS),
    ...pausedApproval(mode, at),
  }
}
