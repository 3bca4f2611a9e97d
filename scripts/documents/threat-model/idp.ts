import { SERVER_FILES, SYSTEM_TESTS, type ThreatenedPart } from './threat.ts'

export const IDP: ThreatenedPart = {
  id: 'idp',
  name: 'Identity provider',
  zone: 'customer',
  trustedFor: 'who a person in a proved domain is, and the role that its organization maps',
  notTrustedFor:
    'people of other domains, other organizations, and owners, unless its organization lets it sign them in',
  threats: [
    ['S', 'forge or replay an ID token, or use another issuer', 'nothing opens', `${SYSTEM_TESTS}attacks/sso.test.ts`],
    [
      'S',
      'send the browser on to an honest provider, and redeem its code',
      'each provider has its own redirect URI',
      `${SYSTEM_TESTS}attacks/sso-mix-up.test.ts`,
    ],
    [
      'T',
      'plant a sign-in in another browser',
      'the cookie of the start is missing',
      `${SYSTEM_TESTS}attacks/sso.test.ts`,
    ],
    [
      'R',
      'deny a sign-in',
      'the audit log has it, with issuer and subject',
      `${SERVER_FILES}identity/audit/verify-audit-log.test.ts`,
    ],
    [
      'I',
      'reach the network by an issuer URL',
      'the guard refuses private addresses',
      `${SYSTEM_TESTS}attacks/sso.test.ts`,
    ],
    [
      'I',
      'learn who has single sign-on, and at which provider, by domain or by one organization id after the other',
      'accepted: a sign-in begins without a credential, and shows the provider to everybody; limited by address. Nobody learns whether an address has an account',
    ],
    [
      'D',
      'endless documents',
      'sizes and times are limited; passwords work where not enforced',
      `${SYSTEM_TESTS}attacks/sso.test.ts`,
    ],
    [
      'E',
      'sign in as an owner by an account with their address',
      'refused, linked or not, unless `allowOwner` is set',
      `${SERVER_FILES}identity/sso/providers/owners-at-providers.test.ts`,
    ],
    [
      'E',
      'claim a higher role or a foreign domain',
      'unmapped roles and unproved domains count for nothing',
      `${SYSTEM_TESTS}attacks/sso.test.ts`,
    ],
  ],
}
