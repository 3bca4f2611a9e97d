/** Routes that no tool reads, and why. docs/assistants.md has a row for each group; routes.test.ts compares all three. */
export interface LeftOut {
  readonly what: string
  readonly why: string
  /** Keys and service accounts may not call these routes. */
  readonly needsPerson?: true
  readonly routes: readonly string[]
}

export const LEFT_OUT: readonly LeftOut[] = [
  {
    what: 'Members, invitations, keys with their requests, other service accounts, single sign-on, saved views, the search',
    why: 'the service shows them to a signed-in person only',
    needsPerson: true,
    routes: [
      'GET /api/core/members',
      'GET /api/core/invitations',
      'GET /api/core/apikeys',
      'GET /api/core/apikeys/errors',
      'GET /api/core/apikeys/requests',
      'GET /api/core/service-accounts',
      'GET /api/core/service-accounts/{id}',
      'GET /api/core/sso/providers',
      'GET /api/core/sso/domains',
      'GET /api/core/saved-views',
      'GET /api/core/search',
    ],
  },
  {
    what: 'The audit log, security events and settings, earlier approval policies, sessions and factors, what an approver signs',
    why: 'the service shows them to a signed-in person only',
    needsPerson: true,
    routes: [
      'GET /api/core/audit-log',
      'GET /api/core/security-events',
      'GET /api/core/organization/security',
      'GET /api/core/approval-policy/history',
      'GET /api/core/auth/me',
      'GET /api/core/auth/browser-session',
      'GET /api/core/auth/sessions',
      'GET /api/core/auth/factors',
      'GET /api/core/auth/notifications',
      'GET /api/core/operations/{id}/approval-request',
    ],
  },
  {
    what: 'Bytes to sign',
    why: 'for signers only',
    routes: ['GET /v1/operations/{id}/unsigned-transactions'],
  },
  {
    what: 'Forms of verification, links of sign-in and of emails',
    why: 'anyone who has the link can use it',
    routes: [
      'GET /ramp/kyb/{token}',
      'GET /account',
      'GET /sandbox/mailbox',
      'GET /sandbox/mailbox/{id}',
      'GET /api/core/auth/sso/start',
      'GET /api/core/auth/sso/callback',
      'GET /api/core/auth/sso/callback/{id}',
      'GET /api/core/erasures/{receipt}',
    ],
  },
  {
    what: 'Exports',
    why: 'files with what the tools for payments return in pages',
    routes: [
      'GET /v1/ramp/transactions/export',
      'GET /v1/ramp/org/transactions/export',
      'GET /v1/ramp/org/offramp-transactions/export',
    ],
  },
  {
    what: 'Second routes to the same data',
    why: 'another tool already returns it',
    routes: [
      'GET /v1/allocations/strategy/{strategyId}',
      'GET /v1/allocations/{venueId}',
      'GET /v1/ramp/org/ramp-summary',
      'GET /v1/ramp/org/transactions',
      'GET /v1/ramp/org/transactions/{id}',
      'GET /v1/ramp/org/offramp-transactions',
      'GET /v1/ramp/org/offramp-transactions/{id}',
      'GET /v1/ramp/org/offramp-status',
      'GET /v1/ramp/org/onramp-account',
    ],
  },
  {
    what: 'Controls of the sandbox, probes, metrics',
    why: 'for tests and operators; they say nothing about money',
    routes: [
      'GET /v1/sandbox/networks',
      'GET /v1/sandbox/strategies/{id}/state',
      'GET /api/core/sandbox/agents',
      'GET /health',
      'GET /ready',
      'GET /metrics',
      'GET /openapi.json',
    ],
  },
  {
    what: 'Routes of the preview',
    why: 'their form may still change, and core has the same facts',
    routes: [
      'GET /api/tokens',
      'GET /api/token-positions/op-wallet/{id}',
      'GET /api/transactions',
      'GET /api/wallets/stats',
    ],
  },
]
