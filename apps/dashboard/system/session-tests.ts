import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { open } from '../testing/pages.ts'
import { member } from '../testing/visitors.ts'

const LOGOUT = '**/api/core/auth/logout'
const SESSION = '**/api/core/auth/browser-session'
const BUSY = { status: 503, json: { code: 'UNAVAILABLE', message: 'Not now.' } }

/** What ends a session, and what does not. */
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
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
