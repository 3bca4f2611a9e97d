import type { OperationType, Role } from '../../database/index.ts'

/** A change of an account that its address is notified of. */
export type AccountChange =
  | { readonly what: 'own_password' | 'assigned_password' | 'reset_password' }
  | { readonly what: 'factors_removed' | 'accounts_unlinked' }
  | { readonly what: 'role'; readonly from: Role; readonly to: Role }
  | { readonly what: 'address'; readonly to: string }
  /** The organization of the domain took an address that the account never proved; `to` is its new login name. */
  | { readonly what: 'address_released'; readonly to: string }

/** What awaits approval, for an email: without addresses or secrets. */
export type WaitingRequest =
  | {
      readonly what: 'operation'
      readonly id: number
      readonly type: OperationType
      /** Whole tokens as text. */
      readonly amount: string
      readonly token: string
      readonly blockchain: string
      readonly venueName: string
    }
  | {
      readonly what: 'change'
      readonly id: number
      /** What the route does: "Add a member". */
      readonly summary: string
    }

/**
 * What an email says, as plain JSON; the room `mail` writes its words. Organizations and people chose the names, so
 * nothing may trust them. `token` is in the email and nowhere else: the database has its hash.
 */
export type MailContent =
  | { readonly kind: 'password_reset'; readonly organizationName: string; readonly token: string }
  | { readonly kind: 'email_verification'; readonly organizationName: string; readonly token: string }
  | {
      readonly kind: 'registration'
      readonly organizationName: string
      /** The organization of a member who has the address and never proved it. */
      readonly heldIn: string | null
      readonly token: string
    }
  | { readonly kind: 'registration_of_member'; readonly organizationName: string }
  | {
      readonly kind: 'member_invitation'
      readonly organizationName: string
      readonly invitedBy: string
      readonly role: Role
      readonly token: string
    }
  | { readonly kind: 'approval_request'; readonly organizationName: string; readonly request: WaitingRequest }
  | { readonly kind: 'notice'; readonly organizationName: string; readonly change: AccountChange }

export type MailKind = MailContent['kind']

/** An email as it is sealed in the outbox. */
export interface SealedMail {
  readonly to: string
  readonly content: MailContent
}
