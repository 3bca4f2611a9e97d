import type { Page } from 'playwright-core'
import { type ClientWallet, clientWallet, type Request, requestsTo, until } from './client-wallet.ts'
import type { DashboardFixture } from './dashboard-fixture.ts'
import { open } from './pages.ts'
import { member } from './visitors.ts'

const PASSWORD = 'a long enough password'

/** An organization for what people change in the dashboard, checked over the API; no other test looks at it. */
export interface FlowOrganization {
  readonly asOwner: Request
  readonly asAdmin: Request
  /** With a key of the organization. */
  readonly keyed: Request
  readonly emails: { readonly owner: string; readonly admin: string }
  readonly password: string
  /** A wallet with 200,000 USDC, operational with a buffer of 50,000: its first deposit waits for an approval. */
  readonly treasury: ClientWallet & { readonly opWalletId: number }
  /** The owner's page, which each test goes on with, and what its console said since the test before. */
  readonly page: Page
  readonly problems: string[]
}

export async function flowOrganization({ url, browser }: DashboardFixture): Promise<FlowOrganization> {
  const emails = { owner: 'fay@flows.example', admin: 'finn@flows.example' }
  const asMember = (token: string) => requestsTo(url, { authorization: `Bearer ${token}` })
  const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/register', {
    email: emails.owner,
    password: PASSWORD,
    name: 'Fay',
    organizationName: 'Flows',
  })
  const asOwner = asMember(accessToken)
  await asOwner('POST', '/api/core/members', { email: emails.admin, role: 'admin', name: 'Finn', password: PASSWORD })
  const signedIn = await requestsTo(url)('POST', '/api/core/auth/login', { email: emails.admin, password: PASSWORD })
  const { apiKey } = await asOwner('POST', '/api/core/apikeys/generate', { name: 'Flows service' })
  const keyed = requestsTo(url, { 'x-api-key': apiKey })
  await asOwner('PUT', '/api/core/approval-policy', {
    mode: 'manual',
    rules: [],
    default: 'require_approval',
    requiredApprovals: 1,
  })
  const wallet = await clientWallet(keyed, '200000000000')
  await asOwner('PUT', `/api/core/wallets/${wallet.walletId}`, { label: 'Treasury' })
  const { id: opWalletId } = await asOwner('POST', '/api/core/wallets/add-and-monitor', {
    orgWalletId: wallet.walletId,
    token: 'USDC',
    bufferAmount: '50000.00',
  })
  await until(asOwner, '/api/core/operations/queue', ({ count }) => count > 0)
  const { page, problems } = await member(browser, url, { email: emails.owner, password: PASSWORD })
  await open(page, `${url}/`)
  return {
    asOwner,
    asAdmin: asMember(signedIn.accessToken),
    keyed,
    emails,
    password: PASSWORD,
    treasury: { ...wallet, opWalletId },
    page,
    problems,
  }
}
