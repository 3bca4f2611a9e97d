import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type DashboardFixture, STALE } from '../testing/dashboard-fixture.ts'
import { fillSignIn, open, settled } from '../testing/pages.ts'
import { member } from '../testing/visitors.ts'

const LOGOUT = '**/api/core/auth/logout'
const SESSION = '**/api/core/auth/browser-session'
const BUSY = { status: 503, json: { code: 'UNAVAILABLE', message: 'Not now.' } }

/** What ends a session, what does not, and what it leaves behind. */
export function sessionTests(fixture: () => DashboardFixture): void {
  test.each([
    ['the service is overloaded', BUSY],
    ['requests are limited', { status: 429, headers: { 'retry-after': '1' }, json: { code: 'RATE_LIMITED' } }],
    ['nothing responds', undefined],
  ])('a sign-out that fails because %s says so and signs nobody out', async (_, refusal) => {
    const { browser, url, as } = fixture()
    const { context, page } = await member(browser, url, as('viewer'))
    await open(page, `${url}/app/venues`)
    await page.route(LOGOUT, (route) => (refusal === undefined ? route.abort() : route.fulfill(refusal)))
    await signOut(page)
    await page.getByText('The session could not be ended').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
    // What still opens after a reload is not said to be closed before it.
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
    await page.unroute(LOGOUT)
    await signOut(page)
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    expect(await context.cookies()).toEqual([])
    await context.close()
  })

  test('a sign-out from a session that has already ended is one', async () => {
    const { browser, url, as } = fixture()
    const { context, page } = await member(browser, url, as('viewer'))
    await open(page, `${url}/app/venues`)
    await page.route(LOGOUT, (route) => route.fulfill({ status: 401, json: { code: 'UNAUTHORIZED' } }))
    await signOut(page)
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    await context.close()
  })

  test.each([503, 429, 403])(
    'a session that cannot be read again (%i) leaves the page, and what was typed',
    async (status) => {
      const { browser, url, as } = fixture()
      const { context, page } = await member(browser, url, as('owner'))
      await open(page, `${url}/app/developers?tab=profiles`)
      await page.getByLabel('New profile').fill('Half a na')
      await page.route(SESSION, (route) => route.fulfill({ ...BUSY, status }))
      const read = page.waitForResponse(SESSION)
      await page.evaluate("new BroadcastChannel('weir').postMessage('session')")
      await read
      // The page can still write, and knows who ends its session.
      await page.getByLabel('New profile').pressSequentially('me')
      expect(await page.getByLabel('New profile').inputValue()).toBe('Half a name')
      const added = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      expect((await added).status()).toBe(201)
      // It asks until it knows.
      await page.unroute(SESSION)
      await context.clearCookies()
      await page.getByText('Your session has ended.').waitFor()
      await context.close()
    },
  )

  test('what was typed before a session ended is there for the same person, and for nobody else', async () => {
    const { browser, url, as } = fixture()
    const { context, page } = await member(browser, url, as('owner'))
    await open(page, `${url}/app/developers`)
    await page.getByRole('button', { name: 'Generate a key' }).first().click()
    const name = page.getByRole('dialog', { name: 'Generate a key' }).getByLabel('Name')
    await name.fill('Half a name')
    const end = async () => {
      await context.clearCookies()
      await page.evaluate("new BroadcastChannel('weir').postMessage('session')")
      await page.getByText('Your session has ended.').waitFor()
    }
    await end()
    expect(await page.getByLabel('Name', { exact: true }).isVisible()).toBe(false)
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0)
    // Nobody reads for a page that waits.
    const reads: string[] = []
    page.on('request', (request) => reads.push(new URL(request.url()).pathname))
    await page.evaluate("new BroadcastChannel('weir').postMessage('data')")
    await page.getByLabel('Email address').fill('nobody@basalt.example')
    expect(reads).toEqual([])
    await fillSignIn(page, as('owner'))
    await name.waitFor()
    expect(await name.inputValue()).toBe('Half a name')
    await end()
    await fillSignIn(page, as('viewer'))
    await page.getByRole('button', { name: /account of vera/ }).waitFor()
    const values = () =>
      page.locator('input').evaluateAll((inputs) => (inputs as { value?: string }[]).map(({ value }) => value))
    expect(await values()).not.toContain('Half a name')
    await context.close()
  })

  test('the question for a second factor goes with its person, and what it was for is not sent by the next', async () => {
    const { browser, url, as } = fixture()
    const { context, page } = await member(browser, url, as('owner'))
    await open(page, `${url}/app/developers?tab=profiles`)
    const sent: string[] = []
    await page.route('**/wallet-profiles', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent.push(route.request().url())
      await route.fulfill({ status: 403, json: STALE })
    })
    await page.getByLabel('New profile').fill('Asked by the owner')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Verify that it is you' })
    await question.waitFor()
    await context.clearCookies()
    await context.request.post(`${url}/api/core/auth/login`, {
      headers: { 'x-weir-session': 'cookie', origin: url },
      data: as('admin'),
    })
    await page.evaluate("new BroadcastChannel('weir').postMessage('session')")
    await page.getByRole('button', { name: /account of ad/ }).waitFor()
    await question.waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(sent).toHaveLength(1)
    await context.close()
  })

  test('a cookie that another tab has replaced leaves this tab signed in, and its next change is made', async () => {
    const { browser, url, as } = fixture()
    const { context, page } = await member(browser, url, as('approver'))
    await open(page, `${url}/app/venues`)
    const { password } = as('approver')
    const other = 'another long pass phrase 31'
    const session = async () => (await (await context.request.get(`${url}${SESSION.slice(2)}`)).json()).data.csrfToken
    for (const [currentPassword, newPassword] of [
      [password, other],
      [other, password],
    ]) {
      const headers = { 'x-weir-csrf': await session(), origin: url }
      const data = { currentPassword, newPassword }
      expect((await context.request.post(`${url}/api/core/auth/password`, { headers, data })).status()).toBe(200)
    }
    await signOut(page)
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    expect((await context.request.get(`${url}${SESSION.slice(2)}`)).status()).toBe(401)
    await context.close()
  })

  test('the next person at a tab finds no request of the one before, and nobody a whole bank number', async () => {
    const { browser, url, as } = fixture()
    const { context, page } = await member(browser, url, as('owner'))
    await open(page, `${url}/app/ramp?tab=accounts`)
    await page.getByRole('button', { name: 'Add a bank account' }).click()
    const form = page.getByRole('dialog', { name: 'Add a bank account' })
    await form.getByRole('combobox', { name: 'Wallet that pays' }).click()
    await page.getByRole('option', { name: /^Payouts/ }).click()
    await form.getByRole('textbox', { name: 'Account number' }).fill('000123454321')
    await page.route('**/v1/ramp/org/offramp-accounts', (route) =>
      route.fulfill({ status: 409, json: { code: 'CONFLICT' } }),
    )
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('CONFLICT').waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('tab', { name: 'Requests of this tab' }).click()
    const mine = page.getByRole('button', { name: 'curl or SDK: POST /v1/ramp/org/offramp-accounts' })
    await mine.first().click()
    const request = page.getByRole('dialog', { name: 'The request' })
    await request.getByText('First Test Bank').waitFor()
    expect(await request.innerText()).not.toContain('000123454321')
    expect(await request.innerText()).not.toContain('021000021')
    await page.keyboard.press('Escape')

    const log = '/app/activity?tab=requests'
    expect(page.url()).toContain(log)
    // What is on its way when the session ends is not theirs either.
    await page.route('**/api/core/wallets/stats', () => {})
    await signOut(page)
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    await fillSignIn(page, as('viewer'))
    await settled(page)
    await page.getByRole('row').nth(1).waitFor()
    expect(await page.evaluate('document.body.innerText')).not.toMatch(/ramp\/org/)
    await context.close()
  })

  test('a tab that another person signs in to shows nothing that the one before had read', async () => {
    const { browser, url, as } = fixture()
    const { context, page } = await member(browser, url, as('owner'))
    await open(page, `${url}/app/members`)
    await page.getByRole('row', { name: /ada@/ }).waitFor()
    // The page has to wait for what the next person may see.
    await page.route(/members/, () => {})
    const { email, password } = as('viewer')
    const headers = { 'x-weir-session': 'cookie', origin: url }
    await context.request.post(`${url}/api/core/auth/login`, { headers, data: { email, password } })
    await page.evaluate("new BroadcastChannel('weir').postMessage('session')")
    await page.getByRole('button', { name: /account of vera/ }).waitFor()
    await page.getByLabel('Loading').first().waitFor()
    expect(await page.getByRole('row', { name: /ada@/ }).count()).toBe(0)
    await context.close()
  })
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
