import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import { clientWallet, type Request, requestsTo, strategiesOf, until } from '../testing/client-wallet.ts'
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
    expect(await page.getByRole('row', { name: /Poll transactions/ }).count()).toBe(0)
    await page.getByRole('switch', { name: 'Leases of agents' }).click()
    await page
      .getByRole('row', { name: /Poll transactions/ })
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

  test('what an agent could not send is planned again from its operation: wallet, strategy and amount are there', async () => {
    const { url, browser } = fixture()
    const organization = await unsignedOrganization(url)
    const { operationId, opWalletId, asOwner } = organization
    const asAgent = await organization.asAgent()
    const { context, page, problems } = await member(browser, url, organization)
    await open(page, `${url}/`)
    const refused = await failedByAgent(asAgent, asOwner)
    expect(refused).toMatchObject({ id: operationId, type: 'SUPPLY', status: 'FAILED' })
    // Weir tries another strategy first, then it waits.
    expect(await failedByAgent(asAgent, asOwner)).toMatchObject({ origin: 'rebalancer', type: 'SUPPLY' })
    await visit(page, `/app/operations?tab=history&open=${operationId}`)
    await page.getByRole('link', { name: 'Plan again' }).click()
    const form = page.getByRole('dialog', { name: 'Deploy now' })
    expect(await form.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe(refused.amount.amount)
    expect(await form.getByRole('combobox', { name: 'Strategy' }).inputValue()).toBe(refused.strategy.name)
    const wallet = form.getByRole('combobox', { name: 'Operational wallet' })
    await expect.poll(() => wallet.inputValue()).toContain(refused.opWallet.address.slice(0, 8))
    expect(page.url()).toBe(`${url}/app/allocations?again=${operationId}`)
    expect(await barriers(page)).toEqual([])
    await form.getByRole('textbox', { name: 'Amount' }).fill('1000')
    await form.getByRole('button', { name: 'Deploy', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    const second = await failedByAgent(asAgent, asOwner)
    expect(second).toMatchObject({
      type: 'SUPPLY',
      origin: 'explicit',
      opWalletId,
      amount: { amount: '1000.00' },
      strategy: { id: refused.strategy.id },
    })

    // A withdrawal, too, in the form of its position.
    const { allocations } = await asOwner('GET', '/api/v1/allocations?includeUnwinding=true')
    await asOwner('POST', `/api/v1/allocations/${allocations[0].id}/withdraw`, { amount: '123.45' })
    const third = await failedByAgent(asAgent, asOwner)
    await visit(page, `/app/operations?tab=history&open=${third.id}`)
    await page.getByRole('link', { name: 'Plan again' }).click()
    const withdrawal = page.getByRole('dialog', { name: 'Plan again' }).getByRole('region', { name: 'Withdraw' })
    expect(await withdrawal.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('123.45')
    expect(await barriers(page)).toEqual([])
    await withdrawal.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByText(/^Operation \d+ withdraws/).waitFor()
    expect(await failedByAgent(asAgent, asOwner)).toMatchObject({ type: 'UNWIND', amount: { amount: '123.45' } })

    // Of an operation that did not fail, a link fills in nothing.
    const { items } = await asOwner('GET', '/api/core/operations/history?status=COMPLETED')
    await visit(page, `/app/allocations?again=${items[0].id}`)
    await page.getByText('Nothing to plan again').waitFor()
    expect(problems).toEqual([])
    await context.close()
  })
}

/** The next operation that the agent gets, after it reported that it did not send it. */
async function failedByAgent(asAgent: Request, asOwner: Request) {
  const { transaction } = await asAgent('POST', '/api/agent/transactions/poll', { waitMs: 20_000 })
  const { id, operationId, leaseToken } = transaction
  await asAgent('POST', `/api/agent/transactions/${id}/report`, { status: 'FAILED', error: 'no key', leaseToken })
  return asOwner('GET', `/api/core/operations/${operationId}`)
}

/** An organization whose first deposit is ready to sign, beside a position of 20,000, and an agent that asks for work on demand. */
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
  const keyed = requestsTo(url, { 'x-api-key': apiKey })
  const { walletId, supply } = await clientWallet(keyed, '200000000000')
  const aave = (await strategiesOf(keyed)).find(({ name }) => name.startsWith('Aave'))!
  await supply(aave.strategyId, '20000000000')
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
  const asAgent = async () => {
    const agent = { name: 'Signer of payouts', permissions: ['agent'] }
    const key = await asOwner('POST', '/api/core/apikeys/generate', agent)
    return requestsTo(url, { 'x-api-key': key.apiKey })
  }
  const poll = async () => {
    await (await asAgent())('POST', '/api/agent/transactions/poll', {})
    // When it polled is written a moment later.
    await until(asOwner, '/api/core/organization/health', ({ agents }) => agents.length === 1)
  }
  return { ...credentials, operationId, opWalletId, asOwner, asAgent, poll }
}
