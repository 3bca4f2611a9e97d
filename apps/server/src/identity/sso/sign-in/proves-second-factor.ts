/** Values of `acr` that say that several factors were used: those of OpenID's PAPE, of REFEDS and of Okta. */
const MULTI_FACTOR_CLASSES = new Set([
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'https://refeds.org/profile/mfa',
  'urn:okta:loa:2fa:any',
  'phr',
  'phrh',
])

/**
 * Whether an ID token says that the identity provider checked more than one factor: `mfa` among its methods (`amr`, RFC
 * 8176), or a class (`acr`) that means it. Everything else counts as one factor, whatever that factor was. Only claims of
 * the verified ID token may be passed.
 */
export function provesSecondFactor(claims: Readonly<Record<string, unknown>>): boolean {
  const { amr, acr } = claims
  if (Array.isArray(amr) && amr.includes('mfa')) return true
  return typeof acr === 'string' && MULTI_FACTOR_CLASSES.has(acr)
}
