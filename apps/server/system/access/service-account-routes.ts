/**
 * The routes that a service account may call, and no other. Every other route needs a person: approvals and other
 * decisions, members, roles, keys, service accounts, sign-in, second factors, policies and limits, accepted breaks, and
 * the end of the organization.
 */
export const SERVICE_ACCOUNT_ROUTES: ReadonlySet<string> = new Set([
  // Wallets, buffers and positions.
  'GET /api/core/wallet-profiles',
  'GET /api/core/wallet-profiles/{id}',
  'POST /api/core/org-wallets',
  'GET /api/core/wallets',
  'GET /api/core/wallets/{id}',
  'PUT /api/core/wallets/{id}',
  'GET /api/core/wallets/stats',
  'POST /api/core/wallets/add-and-monitor',
  'GET /api/core/wallets/monitored',
  'GET /api/core/wallets/monitored/{id}',
  'PUT /api/core/wallets/monitored/{id}/buffer-settings',
  'POST /api/core/wallets/monitored/{id}/rebalance-preview',
  'POST /api/core/custody/actions/create-wallet',
  'GET /api/core/custody/actions',
  'GET /api/core/custody/actions/{id}',
  'GET /api/v1/allocations',
  'GET /api/v1/allocations/{id}',
  'POST /api/v1/allocations',
  'POST /api/v1/allocations/{id}/withdraw',
  'DELETE /api/v1/allocations/{id}/awaited-withdrawal',
  'GET /api/core/ledger-entries',
  'GET /api/core/balances',
  'GET /api/core/balances/positions',

  // What happened, and what waits.
  'GET /api/core/operations/queue',
  'GET /api/core/operations/history',
  'GET /api/core/operations/stats',
  'GET /api/core/operations/{id}',
  'GET /api/core/events',
  'GET /api/core/events/{id}',
  'GET /api/core/exits',
  'GET /api/core/exits/{id}',
  'GET /api/core/breaks',
  'GET /api/core/breaks/{id}',
  'GET /api/core/organization/health',
  'GET /api/core/organization/quotas',
  'GET /api/core/service-accounts/own',

  // Rules and limits, to read.
  'GET /api/core/approval-policy',
  'POST /api/core/approval-policy/evaluate',
  'POST /api/core/approval-policy/dry-run',
  'GET /api/core/change-policy',
  'GET /api/core/change-requests',
  'GET /api/core/change-requests/{id}',
  'GET /api/core/destinations',
  'GET /api/core/strategy-caps',
  'GET /api/core/circuit-breakers',
  'GET /api/core/deposit-limits',
  'GET /api/core/liquidity',
  'GET /api/core/strategy-risks',
  'GET /api/core/strategy-risks/{id}',
  'GET /api/core/strategy-history',

  // Webhooks, except their secrets.
  'GET /api/core/webhooks',
  'POST /api/core/webhooks',
  'GET /api/core/webhooks/{id}',
  'PATCH /api/core/webhooks/{id}',
  'DELETE /api/core/webhooks/{id}',
  'POST /api/core/webhooks/{id}/test',
  'GET /api/core/webhooks/{id}/deliveries',
  'POST /api/core/webhooks/deliveries/{id}/replay',
])
