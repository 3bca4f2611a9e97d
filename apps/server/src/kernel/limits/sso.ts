/** Limits on single sign-on. */

/** Identity providers of an organization: one for each part of a group, with room for replacements. */
export const SSO_PROVIDERS_MAX = 20
/** Domains that an organization has claimed, proved or not. */
export const SSO_DOMAINS_MAX = 100
/** Claim values that map to roles; each sign-in compares them with the claims. */
export const SSO_ROLE_MAPPINGS_MAX = 200
/** Values of the role claim that are compared: directories put a person into hundreds of groups at most. */
export const SSO_CLAIM_VALUES_MAX = 1_000
/** Issuers, client ids and claim names are short; a subject has at most 255 characters (OpenID Connect Core 2). */
export const SSO_ISSUER_LENGTH_MAX = 500
export const SSO_CLIENT_TEXT_LENGTH_MAX = 500
export const SSO_CLAIM_NAME_LENGTH_MAX = 200
export const SSO_SUBJECT_LENGTH_MAX = 255
/** RFC 1035: a name has at most 253 characters. */
export const DOMAIN_LENGTH_MAX = 253
/** From the start to the callback: long enough to type a password and a second factor at the identity provider. */
export const SSO_SIGN_IN_MS = 600_000
/** From the callback to the exchange of its code, which a person may have to copy. */
export const SSO_CODE_MS = 120_000
/** A response of an identity provider, from the connection to its last byte. */
export const SSO_TIMEOUT_MS = 10_000
/** Discovery documents and key sets take a few KB; tokens of people in many groups take more. */
export const SSO_RESPONSE_BYTES_MAX = 262_144
/** A code, a state and the rest of the query of a callback; Node limits the whole head to 16 KiB. */
export const SSO_PARAMETER_LENGTH_MAX = 4_096
/** Finished sign-ins that each new one deletes; more than one, so that the table shrinks after a wave. */
export const SSO_SIGN_INS_SWEEP_BATCH = 10
/** How long a finished sign-in is kept: its code ends its session if it is used a second time. */
export const SSO_SIGN_IN_RETENTION_MS = 86_400_000
/** Two tries: a proof of a domain ends within 10 seconds. */
export const DOMAIN_DNS_TIMEOUT = { timeout: 2_500, tries: 2 } as const
/** Scopes that a provider is asked for, and their names; providers define a handful. */
export const SSO_SCOPES_MAX = 20
export const SSO_SCOPE_LENGTH_MAX = 100
