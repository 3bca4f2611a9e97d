import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findRunningPostgres } from '../../server/src/database/index.ts'
import { recoverOwnerByCommand } from '../../server/src/main/commands/owner-recover-command.ts'
import { codeAt } from '../../server/testing/identity/enroll-factors.ts'
import { barriers, barriersInDark } from '../testing/barriers.ts'
import { requestsTo } from '../testing/client-wallet.ts'
import { type DashboardFixture, DESKTOP, PHONE } from '../testing/dashboard-fixture.ts'
import { isWide } from '../testing/layout.ts'
import { fillSignIn } from '../testing/pages.ts'
import { member, visitor } from '../testing/visitors.ts'

const PASSWORD = 'a long enough password'

/** The pages before and beside those of the menu: who is not in yet, who may not go on, who is nowhere. */
export function thresholdTests(fixture: () => DashboardFixture): void {
  test('the forms of the sign-in, and a page that does not exist, are accessible in light, dark and phone width', async () => {
    const { browser, url, memberOf } = fixture()
    const { context, page, problems } = await visitor(browser)
    await page.goto(`${url}/`)
    const found: string[] = []
    const look = async (title: string) => {
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      found.push(...(await inEveryLook(page, title)))
    }
    await look('Sign in to Weir')
    await fillSignIn(page, { email: 'nobody@nowhere.example', password: 'not the password' })
    await page.getByRole('alert').waitFor()
    await look('Sign in to Weir')
    for (const [form, title] of [
      ['Create an organization', 'Create an organization'],
      ['Single sign-on', 'Sign in to Weir'],
      ['Forgot your password?', 'Reset your password'],
    ] as const) {
      await page.getByRole('button', { name: form }).click()
      await look(title)
    }
    expect(found).toEqual([])
    // The service refuses the password, and the browser says so.
    expect(problems.filter((each) => !/status of 401/.test(each))).toEqual([])
    await context.close()

    const { page: lost } = await memberOf('viewer')
    await lost.goto(`${url}/app/nowhere`)
    await lost.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    expect(await inEveryLook(lost, 'Page not found')).toEqual([])
  })

  test('an owner with a one-time password sets their own, enrolls the factor that is required, and only then goes on', async () => {
    const { browser, url, system } = fixture()
    const owner = { email: `ola@steps-${Date.now().toString(36)}.example`, password: PASSWORD }
    await requireFactors(url, owner)
    const databaseUrl = await findRunningPostgres(system.dataDir)
    const { password } = await recoverOwnerByCommand({ DATABASE_URL: databaseUrl }, [owner.email], () => {})
    const { context, page } = await member(browser, url, { email: owner.email, password })
    await page.goto(`${url}/app/venues`)
    await page.getByText('Somebody else set your password.').waitFor()
    expect(await inEveryLook(page, 'a one-time password')).toEqual([])
    expect(await page.getByRole('navigation').count()).toBe(0)
    await page.getByRole('textbox', { name: 'Current password' }).fill(password)
    await page.getByRole('textbox', { name: 'New password' }).fill('another long password')
    await page.getByRole('button', { name: 'Change' }).click()

    // The recovery removed the factors of the owner, so that the rule of the organization is the next step.
    await page.getByText('Your organization requires a second factor.').waitFor()
    await page.getByRole('button', { name: 'Add an app' }).waitFor()
    expect(await inEveryLook(page, 'a required factor')).toEqual([])
    await page.getByRole('button', { name: 'Add an app' }).click()
    await page.getByLabel('Your password').fill('another long password')
    await page.getByRole('button', { name: 'Continue' }).click()
    const key = (await page.getByLabel('Key for the app').textContent()) ?? ''
    await page.getByLabel('First code').fill(codeAt(key, new Date()))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
    await context.close()
  })
}

/** An organization whose owner has an authenticator app, and requires a second factor of everybody. */
async function requireFactors(url: string, owner: { readonly email: string; readonly password: string }) {
  const register = { ...owner, name: 'Ola', organizationName: 'Steps' }
  const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/register', register)
  const asOwner = requestsTo(url, { authorization: `Bearer ${accessToken}` })
  const { secret } = await asOwner('POST', '/api/core/auth/factors/totp', {})
  await asOwner('POST', '/api/core/auth/factors/totp/confirm', { code: codeAt(secret, new Date()) })
  await asOwner('PUT', '/api/core/organization/security', { secondFactorRequired: true })
}

/** What keeps people out of the page as it stands, in each of its looks. */
async function inEveryLook(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  const note = (look: string, list: readonly string[]) => found.push(...list.map((each) => `${name} ${look}: ${each}`))
  note('in light', await barriers(page))
  note('in dark', await barriersInDark(page))
  await page.setViewportSize(PHONE)
  note('on a phone', await barriers(page))
  if (await isWide(page)) note('on a phone', ['scrolls sideways'])
  await page.setViewportSize(DESKTOP)
  return found
}
