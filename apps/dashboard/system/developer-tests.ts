import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import { requestsTo } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { open } from '../testing/pages.ts'
import { member } from '../testing/visitors.ts'

const PASSWORD = 'a long enough password'

/** What integrators do, in an organization of their own, where nobody else needs to approve it. */
export function developerTests(fixture: () => DashboardFixture): void {
  test('a service account is made for a network, rotated with an overlap and deleted; a viewer only looks', async () => {
    const { url, browser } = fixture()
    const domain = `integrators-${Date.now().toString(36)}.example`
    const owner = { email: `ines@${domain}`, password: PASSWORD }
    const looker = { email: `vic@${domain}`, password: PASSWORD }
    const organization = { ...owner, name: 'Ines', organizationName: 'Integrators' }
    const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/register', organization)
    const asOwner = requestsTo(url, { authorization: `Bearer ${accessToken}` })
    await asOwner('POST', '/api/core/members', { ...looker, role: 'viewer', name: 'Vic' })
    const statusWith = async (secret: string) => {
      const headers = { authorization: `Bearer ${secret}` }
      return (await fetch(`${url}/api/core/wallets/monitored`, { headers })).status
    }
    const { context, page, problems } = await member(browser, url, owner)
    const dialog = (name: string) => page.getByRole('dialog', { name })
    const shownSecret = async () => {
      const secret = (await dialog('The new secret').locator('pre').textContent()) ?? ''
      expect(await barriers(page)).toEqual([])
      await page.getByRole('button', { name: 'I have stored it' }).click()
      await dialog('The new secret').waitFor({ state: 'detached' })
      expect(await page.content()).not.toContain(secret)
      return secret
    }
    const address = `${url}/app/developers?tab=accounts`
    await open(page, address)
    await page.getByText('No service account').waitFor()
    await page.getByRole('button', { name: 'Create a service account' }).first().click()
    const form = dialog('Create a service account')
    await form.getByLabel('Name').fill('Buffer sync')
    await form.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: /^Admin/ }).click()
    await form.getByLabel('Only from these addresses').fill('127.0.0.0/8, ::1/128')
    expect(await barriers(page)).toEqual([])
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    const first = await shownSecret()
    expect(first).toMatch(/^sa_sandbox_/)
    expect(await statusWith(first)).toBe(200)
    await page.getByRole('cell', { name: owner.email }).waitFor()

    await page.getByRole('button', { name: 'Rotate the secret of Buffer sync' }).click()
    await dialog('Rotate the secret of Buffer sync?').getByRole('button', { name: 'Rotate', exact: true }).click()
    const second = await shownSecret()
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])
    await page.getByRole('row', { name: /Buffer sync/ }).click()
    const panel = dialog('Buffer sync')
    await panel.getByText('127.0.0.0/8, ::1/128').waitFor()
    expect(await panel.getByText(/^sa_sandbox_/).count()).toBe(2)
    expect(await barriers(page)).toEqual([])

    const { context: other, page: viewer } = await member(browser, url, looker)
    await open(viewer, page.url())
    await viewer.getByRole('dialog', { name: 'Buffer sync' }).getByText(owner.email).first().waitFor()
    await viewer.keyboard.press('Escape')
    expect(await viewer.getByRole('button', { name: /Create|Rotate|Delete/ }).count()).toBe(0)
    await other.close()

    // A third secret is only made if both end.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Rotate the secret of Buffer sync' }).click()
    await dialog('Rotate the secret of Buffer sync?').getByText('Both expire at once.').waitFor()
    await dialog('Rotate the secret of Buffer sync?').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Delete Buffer sync' }).click()
    await dialog('Delete Buffer sync?').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No service account').waitFor()
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 401])

    await open(page, `${url}/app/audit`)
    for (const action of ['Create service account', 'Rotate service account', 'Delete service account'])
      await page.getByRole('row', { name: new RegExp(action) }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('a request of a key appears by itself, where the page said it would', async () => {
    const { url, browser } = fixture()
    const owner = { email: `rita@requesters-${Date.now().toString(36)}.example`, password: PASSWORD }
    const organization = { ...owner, name: 'Rita', organizationName: 'Requesters' }
    const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/register', organization)
    const asOwner = requestsTo(url, { authorization: `Bearer ${accessToken}` })
    const { apiKey } = await asOwner('POST', '/api/core/apikeys/generate', { name: 'Payroll' })
    const { context, page, problems } = await member(browser, url, owner)
    await open(page, `${url}/app/activity?tab=keys`)
    await page.getByText('The latest 200 requests of each of your keys').waitFor()
    expect(await barriers(page)).toEqual([])
    const headers = { 'x-api-key': apiKey, 'x-request-id': 'seen-in-the-dashboard' }
    expect((await fetch(`${url}/v1/wallets`, { headers })).status).toBe(200)
    await page.getByRole('row', { name: /GET \/v1\/wallets 200 Payroll/ }).waitFor()
    await page.getByRole('button', { name: 'Copy seen-in-the-dashboard' }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })
}
