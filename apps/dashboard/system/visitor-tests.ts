import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createSsoOrganization } from '../../server/system/clients/sso-organization.ts'
import { codeAt } from '../../server/testing/identity/enroll-factors.ts'
import { barriers } from '../testing/barriers.ts'
import { requestsTo } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { fillSignIn, open } from '../testing/pages.ts'
import { member, visitor } from '../testing/visitors.ts'

/** People who come from outside: over single sign-on, after their session, without an account, to read. */
export function visitorTests(fixture: () => DashboardFixture): void {
  test('single sign-on returns to the page before it; an app and a recovery code prove who signs in', async () => {
    const { browser, system, dns, provider } = fixture()
    const domain = `directory-${Date.now().toString(36)}.example`
    await createSsoOrganization({ system, dns, domain, provider: { issuer: provider.issuer } })
    provider.people.set('sam', { email: `sam@${domain}`, email_verified: true })
    const { context, page } = await visitor(browser)
    const startAt = async (address: string) => {
      await page.goto(system.process.url + address)
      await page.getByRole('button', { name: 'Single sign-on' }).click()
      await page.getByLabel('Email address').fill(`sam@${domain}`)
      await page.getByRole('button', { name: 'Continue to your provider' }).click()
      await page.locator('[name=login]').fill('sam')
      await page.locator('[name=password]').fill('any')
      await page.locator('[type=submit]').click()
      await page.locator('[type=submit]').click()
      await page.getByRole('link', { name: 'Continue in the dashboard' }).click()
    }
    await startAt('/app/account')
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect(page.url()).toBe(`${system.process.url}/app/account`)
    await page.getByRole('button', { name: 'Add an app' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    const key = (await page.getByLabel('Key for the app').textContent()) ?? ''
    expect(await barriers(page)).toEqual([])
    await page.getByLabel('First code').fill(codeAt(key, new Date()))
    await page.getByRole('button', { name: 'Confirm' }).click()
    const codes = (await page.getByLabel('Codes to store').textContent()) ?? ''
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('10 recovery codes left.').waitFor()

    // The provider's word is one factor; the other is proved here.
    await context.clearCookies()
    await startAt('/app/account')
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByLabel(/recovery code/).fill(codes.split('\n')[0]!)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('9 recovery codes left.').waitFor()
    expect(page.url()).toBe(`${system.process.url}/app/account`)
    await context.close()
  })

  test('a sign-in after an ended session returns to the same page', async () => {
    const { url, browser, as } = fixture()
    const { context, page } = await member(browser, url, as('viewer'))
    await open(page, `${url}/app/venues?chain=polygon`)
    await context.clearCookies()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    await fillSignIn(page, as('viewer'))
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
    expect(page.url()).toContain('/app/venues?chain=polygon')
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    expect(await context.cookies()).toEqual([])
    await context.close()
  })

  test('a session that ends while its page is open leads, at the next click, to the sign-in and back to what was clicked', async () => {
    const { url, browser, as } = fixture()
    const { context, page } = await member(browser, url, as('viewer'))
    await open(page, `${url}/app/operations?tab=history&status=COMPLETED`)
    // Nothing but the click asks the service.
    await page.getByRole('button', { name: 'Live: pause updates' }).click()
    const listed = await context.request.get(`${url}/api/core/auth/sessions`)
    const sessions: { id: number; current: boolean }[] = (await listed.json()).data
    const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/login', as('viewer'))
    const asViewer = requestsTo(url, { authorization: `Bearer ${accessToken}` })
    await asViewer('DELETE', `/api/core/auth/sessions/${sessions.find(({ current }) => current)!.id}`)
    const refused = page.waitForResponse((response) => response.status() === 401)
    await page.locator('tbody tr').first().click()
    await refused
    await page.getByText('Your session has ended. Sign in to return to where you were.').waitFor()
    expect(page.url()).toMatch(/\/app\/operations\?.*open=\d+/)
    await fillSignIn(page, as('viewer'))
    await page
      .getByRole('dialog', { name: /^Operation \d+$/ })
      .getByRole('region', { name: 'Timeline' })
      .waitFor()
    expect(page.url()).toMatch(/\/app\/operations\?.*status=COMPLETED/)
    expect(page.url()).toMatch(/tab=history/)
    await context.close()
  })

  test('from nothing to a bank account, to yield in five steps, and to treasuries that this tab and the sandbox sign for', async () => {
    const { url, browser } = fixture()
    const { context, page, problems } = await visitor(browser)
    await page.goto(`${url}/`)
    await page.getByRole('button', { name: 'Create an organization' }).click()
    await page.getByLabel('Organization').fill('Fresh Payments')
    const credentials = { email: `fresh${randomUUID()}@fresh.example`, password: 'a long enough password' }
    await page.getByLabel('Email address').fill(credentials.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(credentials.password)
    await page.getByRole('button', { name: 'Create and sign in' }).click()
    await page.getByRole('link', { name: 'Ramp' }).click()
    await page.getByRole('button', { name: 'Begin the verification' }).waitFor()
    expect(await barriers(page), 'empty ramp').toEqual([])
    // A form that is complete can be sent before the name of its wallet is read.
    const sent = new Promise<void>((resolve) => {
      page.on('request', (request) => request.method() === 'POST' && /onramp/.test(request.url()) && resolve())
    })
    await page.route(/core\/wallets(\/\d+|\?limit=20)/, async (route) => {
      await sent
      await route.continue()
    })
    // A person who tries the ramp without a wallet gets a test wallet in the form.
    for (const name of [
      'Begin the verification',
      'Approve (sandbox)',
      'Open an account',
      'Create a test wallet',
      'Open',
    ]) {
      await page.getByRole('button', { name, exact: true }).click()
    }
    await page.getByRole('button', { name: /^Pay in to/ }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: 'Begin' }).click()
    for (const name of [
      'Create the wallet',
      'Open the faucet',
      'Plan and sign',
      'Let thirty days pass',
      'Withdraw and sign',
    ]) {
      await page.getByRole('button', { name }).click()
    }
    await page.getByText(/The wallet holds 1,00[1-9]\./).waitFor()
    await page.getByText(/^Into .+ of .+, at an APY of \d+\.\d\d% now/).waitFor()
    await page.getByText(/in thirty days, 0\.\d\d% of what was deposited$/).waitFor()
    await setMode(url, credentials, 'manual')
    await page.getByText('This tab signs', { exact: true }).click()
    await page.getByRole('button', { name: 'Make it a treasury' }).click()
    await page.getByText(/^Operation \d+ waits for your approval$/).waitFor()
    expect(await barriers(page), 'waits for an approval').toEqual([])
    const [review] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: /^Review operation/ }).click(),
    ])
    await review.getByRole('button', { name: /^Approve/ }).click()
    await page.getByText(/The agent signed \d+ transaction/).waitFor()
    await setMode(url, credentials, 'automatic')
    await signedByTheSandbox(page, url)
    for (const address of ['/', '/app/changes', '/app/reconciliation', '/app/activity?tab=webhooks']) {
      await page.goto(url + address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await barriers(page), `empty ${address}`).toEqual([])
    }
    expect(problems).toEqual([])
    await context.close()
  })

  test('the documents find the section of a question, with a typing error too', async () => {
    const { url, browser } = fixture()
    const { context, page, problems } = await visitor(browser)
    await page.goto(`${url}/docs/`)
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('how do I verfy a webhook signature?')
    const [first] = await page.locator('dialog li a strong').all()
    await first?.waitFor()
    expect(await page.locator('dialog li a strong').first().textContent()).toBe('How do I verify a signature?')
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/search.png` })
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/webhooks#how-do-i-verify-a-signature$/)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('What does 409 OPERATION_IN_PROGRESS mean?')
    const named = page.locator('dialog li a').first()
    await named.filter({ hasText: 'OPERATION_IN_PROGRESS' }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('on a phone, the menu of the documents opens at the page that is read, and reaches the last one', async () => {
    const { url, browser } = fixture()
    const { context, page, problems } = await visitor(browser)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${url}/docs/single-sign-on`)
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Pages' })
    const current = await menu.getByRole('link', { name: 'Single sign-on' }).boundingBox()
    expect(current!.y).toBeGreaterThan(0)
    expect(current!.y).toBeLessThan(844)
    await menu.getByRole('link', { name: 'Code tour' }).click()
    await page.getByRole('heading', { level: 1, name: 'Code tour' }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })
}

/** The sandbox's agent makes a wallet and signs; the tab may close meanwhile. At last the agent is stopped. */
async function signedByTheSandbox(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/app/start`)
  const treasury = page.getByRole('region', { name: 'Treasury' })
  await treasury.getByRole('button', { name: 'Let the sandbox run an agent' }).click()
  await treasury.getByText('Running', { exact: true }).waitFor()
  await page.goto('about:blank')
  await page.goto(`${url}/app/start`)
  const done = treasury.getByRole('table', { name: 'What the agent does' }).getByText('Completed')
  await done.locator('visible=true').first().waitFor()
  await treasury.getByText('250.00').first().waitFor()
  await treasury.getByLabel('Stays liquid').fill('5000.00')
  await treasury.getByRole('button', { name: 'Save' }).click()
  await treasury
    .getByRole('status')
    .getByText(/^5,000\.00/)
    .waitFor()
  expect(await barriers(page), 'a treasury of the sandbox').toEqual([])
  await treasury.getByRole('link', { name: 'sandbox tools' }).click()
  const agents = page.getByRole('region', { name: 'Agents' }).first()
  await agents.getByRole('button', { name: /^Stop / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the agent' }).click()
  await agents.getByText('No agent').waitFor()
}

/** Whether a person approves what the rebalancer deposits. */
async function setMode(url: string, credentials: object, mode: 'manual' | 'automatic'): Promise<void> {
  const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/login', credentials)
  const policy = { mode, rules: [], default: 'require_approval', requiredApprovals: 1 }
  await requestsTo(url, { authorization: `Bearer ${accessToken}` })('PUT', '/api/core/approval-policy', policy)
}
