import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import { type DashboardFixture, DESKTOP, PHONE } from '../testing/dashboard-fixture.ts'
import { open } from '../testing/pages.ts'
import { member } from '../testing/visitors.ts'

/** Filters under a name. */
export function viewTests(fixture: () => DashboardFixture): void {
  const openViews = (page: Page) => page.getByRole('button', { name: 'Views' }).click()

  test('a view is saved, found in another browser, shared, renamed and refilled, by keyboard alone', async () => {
    const { browser, url, as } = fixture()
    const { context, page, problems } = await member(browser, url, as('viewer'))
    const focused = (name: string) => page.getByRole('button', { name }).and(page.locator(':focus')).waitFor()
    await open(page, `${url}/app/operations?tab=history&status=COMPLETED&open=1`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Views' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of this view').focus()
    await page.keyboard.type('Settled')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Settled' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Settled' }).waitFor({ state: 'detached' })
    await focused('Views')

    const elsewhere = await member(browser, url, as('viewer'))
    await elsewhere.page.setViewportSize(PHONE)
    await open(elsewhere.page, `${url}/app/operations`)
    await openViews(elsewhere.page)
    await elsewhere.page.getByRole('link', { name: 'Settled' }).click()
    await elsewhere.page.waitForURL(`${url}/app/operations?status=COMPLETED&tab=history`)
    await openViews(elsewhere.page)
    expect(await barriers(elsewhere.page)).toEqual([])
    expect(await elsewhere.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await elsewhere.context.close()

    await open(page, `${url}/app/operations?tab=history&status=FAILED`)
    await openViews(page)
    await page.getByRole('button', { name: 'Change Settled' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('Failed ones')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Failed ones' }).waitFor()
    await page.getByText('Shared with the organization').waitFor()
    await focused('Change Failed ones')
    await page.keyboard.press('Escape')
    expect(problems).toEqual([])
    await context.close()
  })

  test('a shared view is there for everybody; only admins delete it, and nobody changes it but its maker', async () => {
    const { url, memberOf } = fixture()
    const { page: maker } = await memberOf('approver')
    await open(maker, `${url}/app/wallets?chain=polygon`)
    await openViews(maker)
    await maker.getByLabel('Name of this view').fill('On Polygon')
    await maker.getByLabel('Share with the organization').check()
    await maker.getByRole('button', { name: 'Save' }).click()
    await maker.getByRole('link', { name: 'On Polygon' }).waitFor()

    const { page: viewer } = await memberOf('viewer')
    await viewer.setViewportSize(DESKTOP)
    await open(viewer, `${url}/app/wallets`)
    await openViews(viewer)
    await viewer.getByText(/^By ada@/).waitFor()
    expect(await viewer.getByRole('button', { name: 'Change On Polygon' }).count()).toBe(0)
    expect(await barriers(viewer)).toEqual([])
    await viewer.getByRole('link', { name: 'On Polygon' }).click()
    await viewer.waitForURL(`${url}/app/wallets?chain=polygon`)

    const { page: admin } = await memberOf('admin')
    await open(admin, `${url}/app/wallets`)
    await openViews(admin)
    await admin.getByRole('button', { name: 'Change On Polygon' }).click()
    expect(await admin.getByLabel('Name', { exact: true }).count()).toBe(0)
    await admin.getByRole('button', { name: 'Delete for everybody' }).click()
    await admin.getByRole('link', { name: 'On Polygon' }).waitFor({ state: 'detached' })
    expect(await barriers(admin)).toEqual([])
    await open(viewer, `${url}/app/wallets`)
    await openViews(viewer)
    await viewer.getByText('Filter a list of this page').waitFor()
    expect(await viewer.getByRole('link', { name: 'On Polygon' }).count()).toBe(0)
  })
}
