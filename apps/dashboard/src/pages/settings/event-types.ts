/** What a refusal is called on a page, by its type in the API. */
const TITLES = {
  credential_refused: 'Key or token refused',
  sign_in_refused: 'Sign-in refused',
  registration_refused: 'Registration refused',
  confirmation_refused: 'Password or code refused',
  access_denied: 'Not allowed',
  object_not_found: 'Object out of scope',
  transaction_mismatch: 'Bytes differ from the plan',
  rate_limited: 'Too many requests',
  request_refused: 'Request refused',
  role_refused: 'Role from a provider refused',
  owner_recovered: 'Owner recovered on the host',
  owner_recovery_refused: 'Owner not recovered',
  organization_erasure_requested: 'Erasure requested',
  organization_erased: 'Organization erased',
  domain_approved: 'Domain approved on the host',
  registration_invited: 'Invitation created on the host',
} as const

export const EVENT_TYPES = Object.keys(TITLES) as (keyof typeof TITLES)[]

/** A type that a later version adds is shown by its name. */
export const typeText = (type: string): string =>
  (TITLES as Readonly<Record<string, string>>)[type] ?? type.replaceAll('_', ' ')
