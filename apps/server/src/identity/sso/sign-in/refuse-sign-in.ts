import { Failure } from '../../../kernel/index.ts'

const REFUSALS = {
  email_not_verified: 'The identity provider does not confirm your email address.',
  domain_not_proved: 'Your email domain is not one that the organization proved for this identity provider.',
  email_in_use: 'A member of another organization proved that your email address is theirs.',
  member_removed: 'You were removed from the organization. An owner or admin can admit you again.',
  already_linked: 'Your email address is linked to another account of the identity provider.',
  owner_not_allowed:
    'You are an owner, and the organization does not let this identity provider sign owners in. Sign in with your password or a passkey, reset the password, or have another owner set allowOwner for the provider.',
  no_role: 'The identity provider gives you no role in the organization. Ask an owner for one.',
} as const

/** FORBIDDEN: the provider confirmed who signs in, but the organization does not let them in. */
export function refuseSignIn(reason: keyof typeof REFUSALS): never {
  throw new Failure('FORBIDDEN', { message: REFUSALS[reason], details: { reason } })
}
