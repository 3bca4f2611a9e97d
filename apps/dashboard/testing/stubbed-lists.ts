import type { Page } from 'playwright-core'

const AT = '2026-03-01T10:00:00.000Z'
const ADDRESS = `0x${'a1'.repeat(20)}`
const answer = (data: unknown) => ({ json: { success: true, data } })

const BREAK = {
  id: 1,
  status: 'open',
  walletId: 1,
  walletAddress: ADDRESS,
  walletLabel: 'Payouts',
  blockchain: 'polygon',
  token: 'USDC',
  tokenDecimals: 6,
  tokenAddress: ADDRESS,
  amountBaseUnits: '1000000',
  openedAt: AT,
  closedAt: null,
  acceptedReason: null,
}
const DOMAIN = {
  id: 1,
  domain: 'basalt.example',
  recordName: '_weir.basalt.example',
  recordValue: 'weir-domain=1',
  verifiedAt: AT,
  createdAt: AT,
}
const PROVIDER = {
  id: 1,
  name: 'Keycloak',
  issuer: 'https://id.basalt.example',
  clientId: 'weir',
  callbackUrl: 'https://weir.basalt.example/api/core/auth/sso/callback',
  domains: [DOMAIN.domain],
  roleClaim: null,
  roleMappings: [],
  defaultRole: 'viewer',
  enforced: false,
  breakGlassMemberId: null,
  createdAt: AT,
  updatedAt: AT,
}
const EVENT = {
  id: '00000000-0000-7000-8000-000000000001',
  type: 'login_failed',
  organizationId: 1,
  actor: null,
  actorName: null,
  keyId: null,
  reason: 'wrong_password',
  method: 'POST',
  route: '/api/core/auth/login',
  status: 401,
  code: 'UNAUTHORIZED',
  address: '192.0.2.1',
  userAgent: null,
  requestId: 'req_aaaaaaaaaaaaaaaaaaaa',
  count: 2,
  at: AT,
  lastAt: AT,
}
const pagination = { total: 1, limit: 25, offset: 0, hasMore: false }

const LISTS = {
  events: ['**/api/core/security-events?*', { events: [EVENT], nextCursor: null }],
  breaks: ['**/api/core/breaks?*', { breaks: [BREAK], open: 1, pagination }],
  destinations: [
    '**/api/core/destinations',
    {
      enforced: false,
      destinations: [{ id: 1, label: 'Cold storage', address: ADDRESS, blockchain: 'polygon', createdAt: AT }],
    },
  ],
  domains: ['**/api/core/sso/domains', [DOMAIN]],
  providers: ['**/api/core/sso/providers', [PROVIDER]],
} as const

/** Gives the page a row of a list that the shared organization leaves empty, for what opens from the row. */
export async function stubList(page: Page, name: keyof typeof LISTS): Promise<void> {
  const [path, data] = LISTS[name]
  await page.route(path, (route) => route.fulfill(answer(data)))
}

/** Answers the changes of this method and path as if they were made: what follows them is shown, and nothing changes. */
export async function stubChange(page: Page, method: string, path: string, data: unknown): Promise<void> {
  await page.route(path, (route) =>
    route.request().method() === method ? route.fulfill(answer(data)) : route.fallback(),
  )
}
