import { FACTOR_ROUTES } from './factor-route-access.ts'
import { MAIL_ROUTES } from './mail-routes.ts'
import type { KEY_PERMISSIONS, ResourceIds } from './organization-fixture.ts'
import { type Common, type PathIds, type RouteAccess, withBody } from './path-ids.ts'
import { RAMP_READS, RAMP_WRITES } from './ramp-route-access.ts'
import { SSO_ROUTES } from './sso-route-access.ts'

export type { Access } from './path-ids.ts'

const holder = (place: 'query' | 'body', more: (common: Common) => object = () => ({})) =>
  [
    ({ walletId }: ResourceIds, common: Common): PathIds => ({ [place]: { walletId, ...more(common) } }),
    ({ walletAddress }: ResourceIds, common: Common): PathIds => ({ [place]: { walletAddress, ...more(common) } }),
  ] as const
const user = (place: 'query' | 'body', more: object = {}) => [
  ...holder(place, () => more),
  ({ userId }: ResourceIds): PathIds => ({ [place]: { userId, ...more } }),
]
const operation = ({ operationId: id }: ResourceIds): PathIds => ({ path: { id } })
const serviceAccount = ({ serviceAccountId: id }: ResourceIds): PathIds => ({ path: { id } })
const key = ({ keyId: id }: ResourceIds): PathIds => ({ path: { id } })
const member = ({ memberId: id }: ResourceIds): PathIds => ({ path: { id } })
const session = ({ sessionId: id }: ResourceIds): PathIds => ({ path: { id } })
const profile = ({ walletProfileId: id }: ResourceIds): PathIds => ({ path: { id } })
const opWallet = ({ opWalletId: id }: ResourceIds): PathIds => ({ path: { id } })
const allocation = ({ allocationId: id }: ResourceIds): PathIds => ({ path: { id } })
const changeRequest = ({ changeRequestId: id }: ResourceIds): PathIds => ({ path: { id } })
const destination = ({ destinationId: id }: ResourceIds): PathIds => ({ path: { id } })
const webhook = ({ webhookId: id }: ResourceIds): PathIds => ({ path: { id } })
const delivery = ({ deliveryId: id }: ResourceIds): PathIds => ({ path: { id } })

/** Operations of an organization wallet, and of an operational one. */
const OPERATIONS_OF = [
  ({ walletId: orgWalletId }: ResourceIds): PathIds => ({ query: { orgWalletId } }),
  ({ opWalletId }: ResourceIds): PathIds => ({ query: { opWalletId } }),
]

const SUBMITTING = ['submit-signed', 'submit-hash', 'recover', 'unsigned-transactions']

/** The permission that a limited key needs for a route; `undefined` if no key reaches it. */
export function permissionOf(route: string): (typeof KEY_PERMISSIONS)[number] | undefined {
  const { access } = ROUTES[route]!
  if (access === 'agents') return 'agent'
  if (access !== 'read' && access !== 'write') return access === 'readers' ? 'read' : undefined
  if (route.includes(' /v1/ramp/')) return 'ramp'
  if (SUBMITTING.some((path) => route.endsWith(`/${path}`))) return 'submit'
  return access === 'write' ? 'plan' : 'read'
}

const SIGNED = `0x${'00'.repeat(40)}`
const HASH = `0x${'cd'.repeat(32)}`

/** Every route of the document; routes that change or remove objects come last. */
export const ROUTES: Readonly<Record<string, RouteAccess>> = {
  'GET /health': { access: 'open' },
  'GET /ready': { access: 'open' },
  'GET /metrics': { access: 'open' },
  'GET /openapi.json': { access: 'open' },
  'GET /api/core/erasures/{receipt}': { access: 'open' },
  'POST /sandbox/rpc/{blockchain}': { access: 'open' },
  'OPTIONS /sandbox/rpc/{blockchain}': { access: 'open' },

  'GET /v1/venues': { access: 'read' },
  'GET /v1/venues/{id}': { access: 'read', probe: { path: { id: 2 ** 40 } } },
  'GET /v1/wallets': { access: 'read', request: [({ userId }) => ({ query: { userId } })] },
  'GET /v1/wallets/{walletId}': { access: 'read', request: [({ walletId }) => ({ path: { walletId } })] },
  'POST /v1/allocations': { access: 'read', request: user('body') },
  'GET /v1/allocations': { access: 'read', request: user('query') },
  'GET /v1/allocations/strategy/{strategyId}': {
    access: 'read',
    request: [
      ({ walletId }, { strategyId }) => ({ path: { strategyId }, query: { walletId } }),
      ({ walletAddress }, { strategyId }) => ({ path: { strategyId }, query: { walletAddress } }),
    ],
  },
  'GET /v1/allocations/summary': { access: 'read', request: [] },
  'GET /v1/allocations/earnings': { access: 'read', request: user('query', { blockchain: 'polygon', token: 'USDC' }) },
  'GET /v1/allocations/{venueId}': {
    access: 'read',
    request: [
      ({ walletId }, { venueId }) => ({ path: { venueId }, query: { walletId } }),
      ({ walletAddress }, { venueId }) => ({ path: { venueId }, query: { walletAddress } }),
    ],
  },
  'GET /v1/exits': { access: 'read', request: [({ walletId }) => ({ query: { walletId } })] },
  'GET /v1/exits/{id}': { access: 'read', probe: { path: { id: 2 ** 40 } } },
  'GET /v1/operations': { access: 'read', request: [({ walletId }) => ({ query: { walletId } })] },
  'GET /v1/operations/{id}': { access: 'read', request: [operation] },
  'GET /v1/operations/{id}/unsigned-transactions': { access: 'read', request: [operation] },
  'GET /v1/transactions/{id}': {
    access: 'read',
    request: [({ transactionId }) => ({ path: { id: transactionId } })],
  },
  ...RAMP_READS,
  'GET /v1/sandbox/networks': { access: 'read' },
  'GET /v1/sandbox/strategies/{id}/state': { access: 'read' },
  'POST /v1/sandbox/strategies/{id}/state': { access: 'write' },
  'POST /v1/sandbox/faucet': { access: 'write' },
  'POST /v1/sandbox/advance-time': { access: 'write' },
  'POST /v1/sandbox/chain-faults': { access: 'write' },
  'GET /api/core/sandbox/agents': { access: 'everyone' },
  'POST /api/core/sandbox/agents': { access: 'admins' },
  'DELETE /api/core/sandbox/agents/{id}': { access: 'admins', probe: { path: { id: 2 ** 40 } } },

  'GET /api/core/auth/me': { access: 'everyone' },
  'GET /api/core/auth/browser-session': { access: 'everyone' },
  'GET /api/core/auth/sessions': { access: 'everyone' },
  'GET /api/core/members': { access: 'everyone' },
  'GET /api/core/saved-views': { access: 'everyone' },
  'GET /api/core/search': { access: 'everyone', probe: { query: { q: 'a' } } },
  'GET /api/core/organization/quotas': { access: 'readers' },
  'GET /api/core/apikeys': { access: 'everyone' },
  'GET /api/core/apikeys/errors': { access: 'everyone' },
  'GET /api/core/apikeys/requests': { access: 'everyone' },
  'GET /api/core/service-accounts': { access: 'everyone' },
  'GET /api/core/service-accounts/own': { access: 'everyone' },
  'GET /api/core/service-accounts/{id}': { access: 'everyone', request: [serviceAccount] },
  'GET /api/core/organization/health': { access: 'everyone' },
  'GET /api/core/wallet-profiles': { access: 'everyone' },
  'GET /api/core/wallet-profiles/{id}': { access: 'everyone', request: [profile] },
  'GET /api/core/wallets': { access: 'readers' },
  'GET /api/core/wallets/{id}': { access: 'readers', request: [({ walletId: id }) => ({ path: { id } })] },
  'GET /api/core/wallets/monitored': { access: 'readers' },
  'GET /api/core/wallets/monitored/{id}': { access: 'readers', request: [opWallet] },
  'GET /api/core/wallets/stats': { access: 'everyone' },
  'GET /api/core/ledger-entries': { access: 'readers', request: [({ walletId }) => ({ query: { walletId } })] },
  'GET /api/core/balances': { access: 'readers', probe: { query: { at: '2026-01-01T00:00:00Z' } } },
  'GET /api/core/balances/positions': { access: 'readers', probe: { query: { at: '2026-01-01T00:00:00Z' } } },
  'GET /api/core/breaks': { access: 'everyone' },
  'GET /api/core/breaks/{id}': { access: 'everyone', probe: { path: { id: 2 ** 40 } } },
  'GET /api/core/exits': {
    access: 'readers',
    request: [({ walletId }) => ({ query: { walletId } }), ({ opWalletId }) => ({ query: { opWalletId } })],
  },
  'GET /api/core/exits/{id}': { access: 'readers', probe: { path: { id: 2 ** 40 } } },
  'GET /api/core/liquidity': { access: 'readers' },
  'GET /api/core/strategy-risks': { access: 'readers' },
  'GET /api/core/strategy-risks/{id}': { access: 'readers', probe: { path: { id: 2 ** 40 } } },
  'GET /api/core/strategy-history': { access: 'readers', probe: { query: { day: '2026-01-01' } } },
  'GET /api/core/operations/queue': { access: 'readers', request: OPERATIONS_OF },
  'GET /api/core/operations/history': { access: 'readers', request: OPERATIONS_OF },
  'GET /api/core/operations/stats': { access: 'readers' },
  'GET /api/core/operations/{id}': { access: 'readers', request: [operation] },
  'GET /api/v1/allocations': {
    access: 'everyone',
    request: [
      ({ opWalletId }) => ({ query: { opWalletId } }),
      ({ opWalletId }) => ({ query: { managedWalletId: opWalletId } }),
    ],
  },
  'GET /api/v1/allocations/{id}': { access: 'everyone', request: [allocation] },
  'GET /v1/events': { access: 'read' },
  'GET /api/core/events': {
    access: 'everyone',
    request: [({ walletId }) => ({ query: { walletId } }), ({ operationId }) => ({ query: { operationId } })],
  },
  'GET /api/core/events/{id}': { access: 'everyone', request: [({ eventId: id }) => ({ path: { id } })] },
  'GET /api/core/webhooks': { access: 'everyone' },
  'GET /api/core/webhooks/{id}': { access: 'everyone', request: [webhook] },
  'GET /api/core/webhooks/{id}/deliveries': { access: 'everyone', request: [webhook] },
  'GET /api/core/approval-policy': { access: 'everyone' },
  'GET /api/core/approval-policy/history': { access: 'everyone' },
  'POST /api/core/approval-policy/evaluate': {
    access: 'everyone',
    request: [
      ({ walletId }) => ({ body: { walletId } }),
      ({ opWalletId }) => ({ body: { opWalletId } }),
      ({ opWalletId }) => ({ body: { managedWalletId: opWalletId } }),
    ],
  },
  'POST /api/core/approval-policy/dry-run': {
    access: 'everyone',
    probe: { body: { policy: { mode: 'manual', rules: [], default: 'approve', requiredApprovals: 1 } } },
  },
  'GET /api/core/change-policy': { access: 'everyone' },
  'GET /api/core/change-requests': { access: 'everyone' },
  'GET /api/core/change-requests/{id}': { access: 'everyone', request: [changeRequest] },
  'GET /api/core/destinations': { access: 'everyone' },
  'GET /api/core/audit-log': { access: 'admins' },
  'GET /api/core/security-events': { access: 'admins' },
  'POST /api/core/apikeys/validate': { access: 'validate' },

  ...MAIL_ROUTES,
  'POST /api/core/auth/register': { access: 'open' },
  'POST /api/core/auth/login': { access: 'open' },
  'POST /api/core/auth/refresh': { access: 'open' },
  ...FACTOR_ROUTES,
  'POST /api/core/auth/password': { access: 'everyone' },
  'POST /api/core/members': { access: 'admins' },
  'POST /api/core/saved-views': { access: 'everyone' },
  'POST /api/core/breaks/{id}/accept': {
    access: 'admins',
    probe: { path: { id: 2 ** 40 }, body: { reason: 'The auditors know.' } },
  },
  'POST /api/core/wallet-profiles': { access: 'admins' },
  'PUT /api/core/approval-policy': { access: 'admins' },
  'PUT /api/core/change-policy': { access: 'owners', probe: { body: { rules: {} } } },
  'POST /api/core/destinations': { access: 'admins' },
  'PUT /api/core/destinations/enforcement': { access: 'admins', probe: { body: { enforced: false } } },
  'POST /api/core/apikeys/generate': {
    access: 'admins',
    request: [({ walletProfileId }) => ({ body: { name: 'A key', walletProfileId } })],
  },

  'POST /v1/wallets/register': { access: 'write' },
  'PATCH /v1/wallets/{walletId}': {
    access: 'write',
    request: [({ walletId }) => ({ path: { walletId }, body: { orgMetadata: { costCenter: '4100' } } })],
  },
  'POST /v1/transactions/submit-signed': {
    access: 'write',
    request: [({ operationId }) => ({ body: { operationId, signedTransaction: SIGNED } })],
  },
  'POST /v1/transactions/submit-hash': {
    access: 'write',
    request: [({ operationId }) => ({ body: { operationId, txHash: HASH } })],
  },
  'POST /v1/transactions/{operationId}/recover': {
    access: 'write',
    request: [({ operationId }) => ({ path: { operationId }, body: { txHash: HASH } })],
  },
  'POST /v1/operations/supply': {
    access: 'write',
    request: holder('body', ({ strategyId, tokenAddress }) => ({ strategyId, tokenAddress, amount: '1000000' })),
  },
  'POST /v1/operations/unwind': {
    access: 'write',
    request: holder('body', ({ strategyId }) => ({ strategyId, fullWithdrawal: true })),
  },
  'POST /v1/operations/claim': {
    access: 'write',
    request: holder('body', ({ strategyId }) => ({ strategyId })),
  },
  'POST /v1/operations/revoke-allowance': {
    access: 'write',
    request: holder('body', ({ strategyId }) => ({ strategyId })),
  },
  'POST /v1/operations/{id}/cancel': { access: 'write', request: [operation] },
  ...RAMP_WRITES,
  'POST /api/core/wallets/monitored/{id}/rebalance-preview': { access: 'everyone', request: [withBody({}, opWallet)] },
  'GET /api/core/strategy-caps': { access: 'everyone' },
  'GET /api/core/circuit-breakers': { access: 'everyone' },
  'PUT /api/core/circuit-breakers': { access: 'admins' },
  'POST /api/core/circuit-breakers/accept': {
    access: 'admins',
    probe: { body: { strategyId: 2 ** 40, kind: 'depeg' } },
  },
  'GET /api/core/deposit-limits': { access: 'everyone' },
  'PUT /api/core/deposit-limits': { access: 'admins' },
  'PUT /api/core/strategy-caps/{id}': {
    access: 'admins',
    probe: { path: { id: 2 ** 40 }, body: { maxShare: null } },
  },
  'POST /api/v1/allocations': {
    access: 'admins',
    request: [
      ({ opWalletId }) => ({ body: { opWalletId, amount: '1.00', asset: 'USDC' } }),
      ({ opWalletId }) => ({ body: { managedWalletId: opWalletId, amount: '1.00', asset: 'USDC' } }),
    ],
  },
  'POST /api/v1/allocations/{id}/withdraw': {
    access: 'admins',
    request: [withBody({ full: true }, allocation), withBody({ full: true, partial: true }, allocation)],
  },
  'DELETE /api/v1/allocations/{id}/awaited-withdrawal': { access: 'admins', request: [allocation] },
  'GET /api/core/operations/{id}/approval-request': { access: 'approvers', request: [operation] },
  'POST /api/core/operations/{id}/approve': { access: 'approvers', request: [operation] },
  'POST /api/core/operations/{id}/reject': { access: 'approvers', request: [operation] },
  'POST /api/core/change-requests/{id}/approve': { access: 'approvers', request: [changeRequest] },
  'POST /api/core/change-requests/{id}/reject': { access: 'approvers', request: [changeRequest] },
  'POST /api/core/change-requests/{id}/cancel': { access: 'admins', request: [changeRequest] },
  'POST /api/core/org-wallets': { access: 'admins' },
  'POST /api/core/wallets/add-and-monitor': {
    access: 'admins',
    request: [({ walletId }) => ({ body: { orgWalletId: walletId, token: 'USDT' } })],
  },
  'PUT /api/core/wallets/{id}': {
    access: 'admins',
    request: [({ walletId: id }) => ({ path: { id }, body: { label: 'Other' } })],
  },
  'PUT /api/core/wallets/monitored/{id}/buffer-settings': {
    access: 'admins',
    request: [withBody({ bufferAmount: '1.50' }, opWallet)],
  },
  'PATCH /api/core/wallet-profiles/{id}': { access: 'admins', request: [withBody({ name: 'other' }, profile)] },
  'PATCH /api/core/members/{id}': { access: 'admins', request: [withBody({ name: 'Vera Stone' }, member)] },
  'GET /api/core/custody/actions': { access: 'everyone' },
  'GET /api/core/custody/actions/{id}': { access: 'everyone', probe: { path: { id: 2 ** 40 } } },
  'POST /api/core/custody/actions/create-wallet': { access: 'admins' },
  'POST /api/agent/transactions/poll': { access: 'agents' },
  'POST /api/agent/transactions/{id}/report': {
    access: 'agents',
    probe: { path: { id: 2 ** 40 }, body: { status: 'SUBMITTED', txHash: HASH } },
  },
  'POST /api/agent/transactions/{id}/broadcast': {
    access: 'agents',
    probe: { path: { id: 2 ** 40 }, body: { signedTransaction: SIGNED } },
  },
  'POST /api/agent/transactions/{id}/renew': {
    access: 'agents',
    probe: { path: { id: 2 ** 40 }, body: { leaseDurationMs: 1_000 } },
  },
  'POST /api/agent/actions/poll': { access: 'agents' },
  'POST /api/agent/actions/{id}/report': {
    access: 'agents',
    probe: { path: { id: 2 ** 40 }, body: { status: 'FAILED', error: 'no' } },
  },
  'POST /api/core/service-accounts': { access: 'admins' },
  'POST /api/core/service-accounts/{id}/rotate': { access: 'admins', request: [withBody({}, serviceAccount)] },
  'POST /api/core/apikeys/{id}/rotate': { access: 'admins', request: [withBody({}, key)] },
  'POST /api/core/webhooks': { access: 'admins' },
  'POST /api/core/webhooks/{id}/test': { access: 'admins', request: [webhook] },
  'POST /api/core/webhooks/{id}/rotate-secret': { access: 'admins', request: [webhook] },
  'POST /api/core/webhooks/deliveries/{id}/replay': { access: 'admins', request: [delivery] },
  'PATCH /api/core/webhooks/{id}': { access: 'admins', request: [withBody({ description: 'Other' }, webhook)] },
  // Of others: identity/saved-views/update-saved-view.test.ts.
  'PATCH /api/core/saved-views/{id}': {
    access: 'everyone',
    probe: { path: { id: 2 ** 40 }, body: { shared: false } },
  },
  'DELETE /api/core/saved-views/{id}': { access: 'everyone', probe: { path: { id: 2 ** 40 } } },
  'DELETE /api/core/destinations/{id}': { access: 'admins', request: [destination] },
  'DELETE /api/core/webhooks/{id}': { access: 'admins', request: [webhook] },
  'DELETE /api/core/wallet-profiles/{id}': { access: 'admins', request: [profile] },
  'DELETE /api/core/service-accounts/{id}': { access: 'admins', request: [serviceAccount] },
  'DELETE /api/core/apikeys/{id}': { access: 'admins', request: [key] },
  'DELETE /api/core/auth/sessions/{id}': { access: 'everyone', request: [session] },
  'DELETE /api/core/auth/sessions': { access: 'everyone' },
  ...SSO_ROUTES,
  'DELETE /api/core/members/{id}/factors': { access: 'admins', request: [member] },
  'DELETE /api/core/members/{id}/sessions': { access: 'admins', request: [member] },
  'DELETE /api/core/members/{id}': { access: 'admins', request: [member] },
  // A wrong name: deletion has its own tests.
  'POST /api/core/organization/erase': { access: 'owners', probe: { body: { name: 'Not the name' } } },
  'DELETE /api/core/organization': { access: 'owners', probe: { body: { name: 'Not the name' } } },
  'POST /api/core/auth/logout': { access: 'everyone' },
}
