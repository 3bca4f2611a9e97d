import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import { clientWallet, requestsTo, until } from '../testing/client-wallet.ts'
import { type DashboardFixture, DESKTOP, PHONE } from '../testing/dashboard-fixture.ts'
import { isWide } from '../testing/layout.ts'
import { open, visit } from '../testing/pages.ts'
import { member } from '../testing/visitors.ts'

const TWO_HOURS = 2 * 3_600_000

/** What a treasury without a working agent reads. */
export function agentTests(fixture: () => DashboardFixture): void {
  test('wherever something waits for an agent, the page says which one is silent and since when', async () => {
    const { url, browser } = fixture()
    const organization = await unsignedOrganization(url)
    const { context, page, problems } = await member(browser, url, organization)
    const { operationId, opWalletId } = organization
    const pages = ['/', `/app/wallets?open=${opWalletId}`, `/app/operations?open=${operationId}`]
    const says = async (title: string, ...texts: string[]) => {
      for (const path of pages) {
        await visit(page, path)
        const alert = page.getByRole('status').filter({ hasText: title })
        await alert.waitFor()
        for (const text of texts) await alert.getByText(text).waitFor()
        expect(await alert.getByRole('link').getAttribute('href'), path).toBe('/app/health')
      }
    }
    await page.setViewportSize(DESKTOP)
    await open(page, `${url}/`)
    await says('No agent polled in the last seven days', 'for an agent to sign.')
    await open(page, `${url}/app/operations`)
    await page.getByRole('row').getByRole('link', { name: 'No agent is available' }).waitFor()

    await organization.poll()
    await open(page, `${url}/app/operations`)
    await page.getByRole('row').getByText('Agent signs', { exact: true }).waitFor()
    await page.getByRole('row').filter({ hasText: 'Supply' }).click()
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    expect(await page.getByText(/agent is silent|No agent polled/).count()).toBe(0)

    await open(page, `${url}/app/audit`)
    expect(await page.getByRole('row', { name: /poll.*Transactions/ }).count()).toBe(0)
    await page.getByRole('switch', { name: 'Leases of agents' }).click()
    await page
      .getByRole('row', { name: /poll.*Transactions/ })
      .first()
      .waitFor()
    expect(await barriers(page)).toEqual([])

    await page.clock.setFixedTime(Date.now() + TWO_HOURS)
    await page.setViewportSize(PHONE)
    await says('Your agent is silent', 'Signer of payouts last polled', '2 hr. ago')
    expect(await isWide(page)).toBe(false)
    expect(await barriers(page)).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })
}

/** An organization whose first deposit is ready to sign, and an agent that asks for work on demand. */
async function unsignedOrganization(url: string) {
  const credentials = { email: `${randomUUID()}@agents.example`, password: 'a long enough password' }
  const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/register', {
    ...credentials,
    name: 'Sol',
    organizationName: 'Agents',
  })
  const asOwner = requestsTo(url, { authorization: `Bearer ${accessToken}` })
  const { apiKey } = await asOwner('POST', '/api/core/apikeys/generate', { name: 'Service' })
  const policy = { mode: 'automatic', rules: [], default: 'approve', requiredApprovals: 1 }
  await asOwner('PUT', '/api/core/approval-policy', policy)
  const { walletId } = await clientWallet(requestsTo(url, { 'x-api-key': apiKey }), '200000000000')
  const { id: opWalletId } = await asOwner('POST', '/api/core/wallets/add-and-monitor', {
    orgWalletId: walletId,
    token: 'USDC',
    bufferAmount: '50000.00',
  })
  let operationId = 0
  await until(asOwner, '/api/core/operations/queue?status=EXECUTING', ({ intents }) => {
    operationId = intents[0]?.id ?? 0
    return operationId > 0
  })
  const poll = async () => {
    const agent = { name: 'Signer of payouts', permissions: ['agent'] }
    const key = await asOwner('POST', '/api/core/apikeys/generate', agent)
    await requestsTo(url, { 'x-api-key': key.apiKey })('POST', '/api/agent/transactions/poll', {})
    // When it polled is written a moment later.
    await until(asOwner, '/api/core/organization/health', ({ agents }) => agents.length === 1)
  }
  return { ...credentials, operationId, opWalletId, poll }
}
