import { SERVER_FILES, SYSTEM_TESTS, type ThreatenedPart } from './threat.ts'

export const API: ThreatenedPart = {
  id: 'api',
  name: 'API service',
  zone: 'operator',
  trustedFor: 'authentication, tenancy, the ledger that it shows',
  notTrustedFor: 'wallet keys: it has none; the agent decodes what it is asked to sign',
  threats: [
    [
      'S',
      'guess or replay a credential',
      'keys of 214 bits, pinned tokens, limits of guesses by account and address',
      `${SERVER_FILES}identity/attempts/login-attempts.test.ts`,
    ],
    [
      'T',
      'hide a request in another one',
      'refused with 400; one response',
      `${SYSTEM_TESTS}attacks/operators.test.ts`,
    ],
    [
      'T',
      'delete or erase an organization with a stolen session',
      'a second factor again, the rule for members, and the name of the organization',
      `${SYSTEM_TESTS}attacks/erasure.test.ts`,
    ],
    [
      'R',
      'deny a change',
      'each change is in a hash chain, in the transaction of its effect',
      `${SERVER_FILES}identity/audit/verify-audit-log.test.ts`,
    ],
    [
      'I',
      "read another tenant's objects",
      'one scope in every statement; foreign ids look like missing ones',
      `${SYSTEM_TESTS}access/isolation.test.ts`,
    ],
    [
      'I',
      "use another tenant's id in a statement without the organization",
      'each statement of a request is limited to its organization, which every test checks',
      'apps/server/testing/organizations/organization-watch.test.ts',
    ],
    [
      'D',
      'send bodies that cost most, or floods',
      'linear validation, limits by key, address and organization, quotas',
      `${SYSTEM_TESTS}fuzzing/request-cost.test.ts`,
    ],
    [
      'E',
      'make a second voice of a service account',
      'it decides nothing, and who holds its secret approves nothing that it requests',
      `${SYSTEM_TESTS}attacks/service-accounts.test.ts`,
    ],
    [
      'E',
      'call a route above the role or scope',
      'each route is tried with each credential',
      `${SYSTEM_TESTS}access/authorization.test.ts`,
    ],
    [
      'E',
      'keep a body back until the session has ended',
      'the credential is checked again when the body is there',
      `${SERVER_FILES}surfaces/core/identity/sessions/slow-body.test.ts`,
    ],
  ],
}
